import { grpcStatusNames, header } from '@plugfest/model';
import { z } from 'zod';
import { defineFault, type Flow } from '../fault.ts';
import { isGrpc, removeFields } from '../head-edits.ts';

/** Percent-encoded, as `grpc-message` has to be (gRPC over HTTP/2). */
const encoded = (message: string): string =>
  encodeURIComponent(message)
    .replace(/%20/g, ' ')
    .replace(/[!'()*]/g, (char) => char);

export default defineFault({
  name: 'grpc-status',
  about: 'A gRPC call ends with another status; its messages come before it, or not at all.',
  parameters: {
    status: z.enum(grpcStatusNames).describe('Name of the status.'),
    message: z.string().max(1000).optional().describe('`grpc-message`. Default: none.'),
    messages: z
      .enum(['drop', 'keep'])
      .optional()
      .describe('`keep`: the messages of the response come before it. Default `drop`.'),
  },
  response: ({ status, message, messages = 'drop' }, act) => {
    if (!isGrpc(act)) {
      act.bypassed('the response is no gRPC');
      return undefined;
    }
    const code = String(grpcStatusNames.indexOf(status));
    const fields = [
      'grpc-status',
      code,
      ...(message === undefined ? [] : ['grpc-message', encoded(message)]),
    ];
    const inHead = header(act.headers, 'grpc-status');
    if (inHead !== undefined) {
      // Trailers-only: the head is the end.
      removeFields(act, new Set(['grpc-status', 'grpc-message', 'grpc-status-details-bin']));
      act.headers.push(...fields);
      act.applied({ place: 'header', where: 'grpc-status', before: inHead, after: code });
      return undefined;
    }
    return (next): Flow => ({
      head: () => next.head(),
      data: (bytes) => {
        if (messages === 'keep') next.data(bytes);
      },
      end: (trailers) => {
        const before = header(trailers, 'grpc-status');
        const place = 'trailer';
        act.applied({
          place,
          where: 'grpc-status',
          ...(before === undefined ? {} : { before }),
          after: code,
        });
        const others: string[] = [];
        for (let i = 0; i + 1 < trailers.length; i += 2) {
          const name = trailers[i] ?? '';
          if (!name.toLowerCase().startsWith('grpc-')) others.push(name, trailers[i + 1] ?? '');
        }
        next.end([...fields, ...others]);
      },
      cut: (reset, code2) => next.cut(reset, code2),
    });
  },
});
