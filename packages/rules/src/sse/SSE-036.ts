import { header } from '@plugfest/model';
import type { StreamSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { restStream, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';

const params = { message: v1.message('hello') };
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];
const post = { verb: 'POST', path: '/message:stream', body: params, events } as const;
const post03 = {
  verb: 'POST',
  path: '/v1/message:stream',
  headers: { 'A2A-Version': undefined, 'Content-Type': 'application/json' },
  body: { message: v03.message('hello') },
  events: [v03.task('working'), v03.statusUpdate('completed')],
} as const;
const silent = { 'Cache-Control': undefined } as const;
const send = { method: 'SendStreamingMessage', params, events } as const;

type Caching = 'off' | 'on' | 'silent';

/** What the head of a stream says to caches and buffers on the way. */
function caching({ exchange }: StreamSubject): Caching {
  const headers = exchange.captured.response?.headers ?? [];
  const control = header(headers, 'cache-control')?.toLowerCase() ?? '';
  if (/no-cache|no-store|private|max-age=0/.test(control)) return 'off';
  if (/public|max-?age=[1-9]/.test(control)) return 'on';
  return header(headers, 'x-accel-buffering')?.toLowerCase() === 'no' ? 'off' : 'silent';
}

export default defineRule({
  id: 'SSE-036',
  level: 'SHOULD',
  party: 'server',
  summary: 'The head of a stream tells caches and buffers on the way to let it through.',
  spec: { '0.1': '3.3', '0.2': '3.3', '0.3': '3.3', '1.0': '9.4.2, 11.7' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'stream',
  messages: {
    cached: 'The stream is marked as fit for caches: {found}',
    silent: 'Nothing in the head of the stream tells buffers on the way to let it through',
  },
  why: 'A proxy that keeps or collects the answer hands it over in one piece, when everything is over. No text asks for the header, so a head that says nothing is only noted.',
  fix: 'Send `Cache-Control: no-cache` with every stream, and `X-Accel-Buffering: no` where a buffering proxy stands before the agent.',
  examples: {
    good: [
      [rpcStream(send)],
      [
        restStream({
          verb: 'POST',
          path: '/message:stream',
          body: params,
          events,
          responseHeaders: { 'Cache-Control': 'no-store' },
        }),
      ],
      [rpcStream({ ...send, responseHeaders: { ...silent, 'X-Accel-Buffering': 'No' } })],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.statusUpdate('completed')],
        }),
      ],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      {
        example: [rpcStream({ ...send, responseHeaders: { 'Cache-Control': 'public, max-age=60' } })],
        messages: ['cached'],
        outcomes: ['warn'],
      },
      {
        example: [rpcStream({ ...send, responseHeaders: silent })],
        messages: ['silent'],
        outcomes: ['info'],
      },
      { example: [restStream({ ...post, responseHeaders: silent })], messages: ['silent'] },
      { example: [restStream({ ...post03, responseHeaders: silent })], messages: ['silent'] },
    ],
  },
  when: ({ exchange, events: found }) => exchange.response?.status === 200 && found.length > 0,
  check: (stream, { report }) => {
    const found = header(stream.exchange.captured.response?.headers ?? [], 'cache-control');
    const at = { side: 'response', header: 'Cache-Control' } as const;
    const said = caching(stream);
    if (said === 'on') report('cached', { data: { found }, at, expected: 'no-cache', actual: found });
    else if (said === 'silent')
      report('silent', { outcome: 'info', at, expected: 'no-cache', actual: found });
  },
});
