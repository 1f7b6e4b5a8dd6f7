import { z } from 'zod';
import { defineFault, type Flow } from '../fault.ts';
import { addField, removeFields, shownBytes, withoutLength } from '../head-edits.ts';

export default defineFault({
  name: 'override',
  about: 'The client is shown another status, another body, or both; the callee has answered.',
  parameters: {
    status: z.int().min(200).max(599).optional().describe('HTTP status that is shown.'),
    body: z.string().max(1_000_000).optional().describe('Body that is shown, as UTF-8.'),
    contentType: z
      .string()
      .regex(/^[\x20-\x7e]+$/)
      .optional()
      .describe('`Content-Type` of that body. Default: as it was.'),
  },
  problem: ({ status, body, contentType }) =>
    status === undefined && body === undefined
      ? 'an override has `status`, `body`, or both'
      : contentType !== undefined && body === undefined
        ? '`contentType` goes with `body`'
        : undefined,
  response: ({ status, body, contentType }, act) => {
    if (status !== undefined && status !== act.status) {
      act.applied({ place: 'header', where: ':status', before: String(act.status), after: String(status) });
      act.setStatus(status);
    }
    if (body === undefined) return undefined;
    if (!act.hasBody) {
      act.bypassed('a response to HEAD, and one of status 204 or 304, has no body');
      return undefined;
    }
    withoutLength(act);
    removeFields(
      act,
      new Set(['content-encoding', 'trailer', ...(contentType === undefined ? [] : ['content-type'])]),
    );
    if (contentType !== undefined) addField(act, 'Content-Type', contentType);
    const bytes = Buffer.from(body, 'utf8');
    act.applied({ place: 'body', after: shownBytes(bytes) });
    return (next): Flow => ({
      head: () => next.head(),
      data: () => undefined,
      end: () => {
        if (bytes.length > 0) next.data(bytes);
        next.end([]);
      },
      cut: (reset, code) => next.cut(reset, code),
    });
  },
});
