import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpcStream, v1 } from '@plugfest/verifier/examples';

const send = { method: 'SendStreamingMessage', params: { message: v1.message('hello') } } as const;
const events = [{ task: v1.task('WORKING') }];
const frame = (envelope: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, ...envelope })}\n\n`;
const error = { code: -32603, message: 'The model is gone' };

export default defineRule({
  id: 'SSE-023',
  level: 'MUST',
  party: 'server',
  summary: 'A JSON-RPC stream that fails says so by a JSON-RPC error with its own id, as the last event.',
  spec: { '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'stream',
  messages: {
    shape: 'The error of event {event} has no integer `code` and string `message`',
    id: 'The error of event {event} has the id {found}, the request has {asked}',
    followed: 'Event {event} follows the error of event {failed}',
  },
  why: 'An error under another id reaches no caller, and an error in mid-stream makes clients drop what comes after it.',
  fix: 'Send `{"jsonrpc": "2.0", "id": …, "error": {"code", "message"}}` with the id of the request, then close the stream.',
  examples: {
    good: [[rpcStream({ ...send, events, raw: frame({ error }) })]],
    skip: [[rpcStream({ ...send, events: [...events, v1.statusUpdate('COMPLETED')] })]],
    bad: [
      { example: [rpcStream({ ...send, events, raw: frame({ error: 'gone' }) })], messages: ['shape'] },
      { example: [rpcStream({ ...send, events, raw: frame({ id: null, error }) })], messages: ['id'] },
      {
        example: [
          rpcStream({
            ...send,
            events,
            raw: frame({ error }) + frame({ result: v1.statusUpdate('FAILED') }),
          }),
        ],
        messages: ['followed'],
      },
    ],
  },
  when: ({ events }) => events.some(({ rpc, error }) => error !== undefined && rpc !== undefined),
  check: ({ exchange, events }, { report }) => {
    const asked = exchange.request.rpc?.id;
    let failed: number | undefined;
    for (const { index, rpc, error } of events) {
      const at = { side: 'response', event: index } as const;
      if (failed !== undefined) {
        report('followed', { data: { event: index, failed }, at, expected: 'the end of the stream' });
        return;
      }
      if (error === undefined || rpc === undefined) continue;
      failed = index;
      const { value, pointer } = error;
      if (!isJsonObject(value) || !Number.isInteger(value.code) || typeof value.message !== 'string')
        report('shape', { data: { event: index }, at: { ...at, pointer }, actual: value });
      if (asked !== undefined && rpc.id !== asked)
        report('id', {
          data: { event: index, found: rpc.id, asked },
          at: { ...at, pointer: '/id' },
          expected: JSON.stringify(asked),
          actual: rpc.id,
        });
    }
  },
});
