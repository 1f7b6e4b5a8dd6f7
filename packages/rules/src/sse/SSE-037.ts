import { isStreaming } from '@plugfest/a2a';
import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { restStream, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { restStreams } from './older-streams.ts';

const params = { message: v1.message('hello') };
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];
const stream = { method: 'SendStreamingMessage', params, events } as const;
const accept = (types: string) => ({ headers: { Accept: types } });

/** The media ranges that take an event stream (RFC 9110, section 12.5.1). */
const ranges = new Set(['text/event-stream', 'text/*', '*/*']);

const acceptsStreams = (accepted: string): boolean =>
  accepted.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((text) => text.trim().toLowerCase());
    return ranges.has(type) && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

const headersOf = (call: object): Readonly<Record<string, string | undefined>> =>
  'headers' in call ? (call.headers as Readonly<Record<string, string | undefined>>) : {};

export default defineRule({
  id: 'SSE-037',
  level: 'SHOULD',
  party: 'client',
  summary: 'A request for a stream accepts `text/event-stream`, where it says what it accepts.',
  spec: { '0.1': '3.3', '0.2': '3.3', '0.3': '3.3', '1.0': '9.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  about: ['SendStreamingMessage', 'SubscribeToTask'],
  messages: { refused: 'The client asks for a stream and accepts {found} only' },
  why: 'Streams are `text/event-stream`: a server that looks at `Accept` answers 406, one that chooses by it answers with one document at the end.',
  fix: 'Send `Accept: text/event-stream` with streaming operations, or no `Accept` at all.',
  examples: {
    good: [
      [rpcStream({ ...stream, ...accept('text/event-stream') })],
      [rpcStream({ ...stream, ...accept('application/json, text/*;q=0.5') })],
      [restStream({ verb: 'POST', path: '/message:stream', body: params, events, ...accept('*/*') })],
    ],
    skip: [[rpc({ method: 'SendMessage', params, result: { task: v1.task('COMPLETED') } })]],
    bad: [
      ...restStreams.map(({ call, events: all }) => ({
        example: [
          restStream({ ...call, events: all, headers: { ...headersOf(call), Accept: 'application/json' } }),
        ],
        messages: ['refused'] as const,
      })),
      { example: [rpcStream({ ...stream, ...accept('application/json') })], messages: ['refused'] },
      {
        example: [
          rpcStream({
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message('hello') },
            events: [v03.task('working'), v03.statusUpdate('completed')],
            ...accept('application/json, text/event-stream;q=0'),
          }),
        ],
        messages: ['refused'],
      },
    ],
  },
  when: ({ operation, captured }) =>
    operation !== undefined &&
    isStreaming(operation) &&
    header(captured.request.headers, 'accept') !== undefined,
  check: ({ captured }, { report }) => {
    const found = header(captured.request.headers, 'accept') ?? '';
    if (!acceptsStreams(found))
      report('refused', {
        data: { found: found === '' ? 'nothing' : found },
        at: { side: 'request', header: 'Accept' },
        expected: 'text/event-stream',
        actual: found,
      });
  },
});
