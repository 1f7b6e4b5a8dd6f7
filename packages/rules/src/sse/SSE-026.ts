import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import type { HttpExampleExchange } from '@plugfest/verifier/examples';
import { restStream, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { olderStreams, restStreams } from './older-streams.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];

const envelope = (result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 1, result });
const withLength = { 'Content-Length': '812' } as const;
/** Text of events that is Latin-1, where UTF-8 belongs. */
const latin1 = (data: string): Buffer =>
  Buffer.from(`data: ${data.replace('hello', 'caf\u00e9')}\n\n`, 'latin1');
const noted = { note: 'hello' };

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
        example: [rpcStream({ ...send, events: events.slice(0, 1), raw: `data: ${envelope(events[1])}\n` })],
        messages: ['unterminated'],
      },
      ...olderStreams.map(({ call, events: [first, last] }) => ({
        example: [rpcStream({ ...call, events: [first], raw: `data: ${envelope(last)}\n` })],
        messages: ['unterminated'] as const,
      })),
      ...restStreams.map(({ call, events: [first, last] }) => ({
        example: [restStream({ ...call, events: [first], raw: `data: ${JSON.stringify(last)}\n` })],
        messages: ['unterminated'] as const,
      })),
      {
        example: [
          rpcStream({ ...send, events: [], rawBytes: latin1(envelope({ message: v1.reply('hello') })) }),
        ],
        messages: ['encoding'],
      },
      ...olderStreams.map(({ call, events: [first, last] }) => ({
        example: [
          rpcStream({ ...call, events: [first], rawBytes: latin1(envelope({ ...last, metadata: noted })) }),
        ],
        messages: ['encoding'] as const,
      })),
      ...restStreams.map(({ call, events: [first, last] }) => ({
        example: [
          withBytes(
            restStream({ ...call, events: [first] }),
            latin1(JSON.stringify({ ...last, metadata: noted })),
          ),
        ],
        messages: ['encoding'] as const,
      })),
      { example: [rpcStream({ ...send, events, responseHeaders: withLength })], messages: ['length'] },
      ...olderStreams.map(({ call, events: all }) => ({
        example: [rpcStream({ ...call, events: all, responseHeaders: withLength })],
        messages: ['length'] as const,
      })),
      ...restStreams.map(({ call, events: all }) => ({
        example: [restStream({ ...call, events: all, responseHeaders: withLength })],
        messages: ['length'] as const,
      })),
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

/** A stream that goes on with these bytes. */
function withBytes(stream: HttpExampleExchange, bytes: Buffer): HttpExampleExchange {
  const { response } = stream;
  if (response === undefined) return stream;
  const sse = [...(response.sse ?? []), { raw_base64: bytes.toString('base64') }];
  return { ...stream, response: { ...response, sse } };
}
