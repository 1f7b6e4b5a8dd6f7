import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { olderStreams } from './older-streams.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];

export default defineRule({
  id: 'SSE-003',
  level: 'MUST',
  party: 'server',
  summary: 'Each event of a JSON-RPC stream is a JSON-RPC response to the request that opened it.',
  spec: { '0.1': '7.2.1', '0.2': '7.2.1', '0.3': '3.3.1', '1.0': '9.4.2' },
  bindings: ['JSONRPC'],
  scope: 'stream',
  messages: {
    envelope: 'Event {event} is no JSON-RPC response: {problem}',
    id: 'Event {event} has the id {found}, the request has {asked}',
  },
  why: 'JSON-RPC clients hand a frame to its caller by id and refuse what is no response, so the event never arrives.',
  fix: 'Wrap every event as `{"jsonrpc": "2.0", "id": …, "result": …}` with the id of the streaming request.',
  examples: {
    good: [
      [rpcStream({ ...send, id: 'a-7', events })],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.statusUpdate('completed')],
        }),
      ],
    ],
    skip: [[restStream({ verb: 'POST', path: '/message:stream', body: params, events })]],
    bad: [
      {
        example: [
          rpcStream({
            ...send,
            events: [{ task: v1.task('WORKING') }],
            raw: `data: ${JSON.stringify(v1.statusUpdate('COMPLETED'))}\n\n`,
          }),
        ],
        messages: ['envelope'],
      },
      {
        example: [rpcStream({ ...send, id: 1, responseId: '1', events: [{ message: v1.reply('hi') }] })],
        messages: ['id'],
      },
      ...olderStreams.map(({ call, events: [first, last] }) => ({
        example: [rpcStream({ ...call, events: [first], raw: `data: ${JSON.stringify(last)}\n\n` })],
        messages: ['envelope'] as const,
      })),
      ...olderStreams.map(({ call, events: [first, last] }) => ({
        example: [
          rpcStream({
            ...call,
            events: [first],
            raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id: '1', result: last })}\n\n`,
          }),
        ],
        messages: ['id'] as const,
      })),
    ],
  },
  when: ({ events }) => events.some(({ json }) => json.state === 'ok'),
  check: ({ exchange, events }, { report }) => {
    const asked = exchange.request.rpc?.id;
    for (const { index, json, rpc, error } of events) {
      if (json.state !== 'ok') continue;
      const at = { side: 'response', event: index } as const;
      const problem = problemOf(json.value);
      if (problem !== undefined) {
        report('envelope', { data: { event: index, problem }, at: { ...at, pointer: '' } });
        continue;
      }
      // The id of an error event is judged by SSE-023.
      if (error !== undefined || asked === undefined || rpc?.id === asked) continue;
      report('id', {
        data: { event: index, found: rpc?.id, asked },
        at: { ...at, pointer: '/id' },
        expected: JSON.stringify(asked),
        actual: rpc?.id,
      });
    }
  },
});

function problemOf(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'it is no object';
  if (value.jsonrpc !== '2.0') return 'it does not say "jsonrpc": "2.0"';
  return 'result' in value || 'error' in value ? undefined : 'it has neither result nor error';
}
