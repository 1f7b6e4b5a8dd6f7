import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { restStream, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];

export default defineRule({
  id: 'SSE-026',
  level: 'MUST',
  party: 'server',
  summary: 'An event stream is UTF-8, ends each event with a blank line and has no length beforehand.',
  spec: { '0.1': '3.3', '0.2': '3.3', '0.3': '3.3', '1.0': '9.4.2, 11.7' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'stream',
  messages: {
    unterminated: 'The stream ends before the blank line that would complete event {event}',
    encoding: 'Event {event} is not valid UTF-8',
    length: 'The stream comes with `Content-Length: {length}`',
  },
  why: 'SSE parsers drop an event without its blank line, usually the last and final one. A length, which HTTP permits, is a warning: it is known only to a server or proxy that held all events back.',
  fix: 'Write every event as UTF-8 text with an empty line after it, as soon as it happens, in chunks without `Content-Length`.',
  examples: {
    good: [
      [rpcStream({ ...send, events })],
      [restStream({ verb: 'POST', path: '/message:stream', body: params, events })],
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
        example: [
          rpcStream({
            ...send,
            events: [{ task: v1.task('WORKING') }],
            raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: v1.statusUpdate('COMPLETED') })}\n`,
          }),
        ],
        messages: ['unterminated'],
      },
      {
        example: [
          rpcStream({
            ...send,
            events: [],
            rawBytes: Buffer.from(
              `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { message: v1.reply('caf\u00e9') } })}\n\n`,
              'latin1',
            ),
          }),
        ],
        messages: ['encoding'],
      },
      {
        example: [
          restStream({
            verb: 'POST',
            path: '/message:stream',
            body: params,
            events,
            responseHeaders: { 'Content-Length': '812' },
          }),
        ],
        messages: ['length'],
      },
    ],
  },
  when: ({ events }) => events.length > 0,
  check: ({ exchange, events, complete }, { report }) => {
    const { response } = exchange.captured;
    const length = response && header(response.headers, 'content-length');
    if (length !== undefined)
      report('length', {
        outcome: 'warn',
        data: { length },
        at: { side: 'response', header: 'Content-Length' },
        expected: 'no Content-Length',
        actual: length,
      });
    for (const { index, json, terminated } of events) {
      const at = { side: 'response', event: index } as const;
      if (!json.utf8) report('encoding', { data: { event: index }, at, expected: 'UTF-8' });
      if (!terminated && complete)
        report('unterminated', { data: { event: index }, at, expected: 'a blank line after the event' });
    }
  },
});
