import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { restError, restStream, rpcStream, v1 } from '@plugfest/verifier/examples';

const params = { message: v1.message('hello') };
const post = {
  verb: 'POST',
  path: '/message:stream',
  body: params,
  events: [{ task: v1.task('WORKING') }],
} as const;
const failure = JSON.stringify(restError(500, 'INTERNAL', 'The model is gone'));

export default defineRule({
  id: 'SSE-024',
  level: 'INFO',
  party: 'server',
  summary:
    'An HTTP+JSON stream that fails in its middle says so by the error of section 11.6, as data of an event.',
  spec: { '1.0': '11.7' },
  bindings: ['HTTP+JSON'],
  scope: 'stream',
  messages: {
    named: 'The failure in event {event} comes as an SSE event named `{name}`',
    shape: 'The failure in event {event} has not the form of section 11.6',
  },
  why: 'How a running stream tells a failure is not laid down. Browsers hand named events to their own listeners, and readers of StreamResponse find none of its members: the client only sees that the stream ends.',
  fix: 'Nothing is asked for; `{"error": {"code", "status", "message"}}` as the data of a plain last event is what fits the rest of the binding.',
  examples: {
    good: [[restStream({ ...post, raw: `data: ${failure}\n\n` })]],
    skip: [
      [restStream({ ...post, events: [...post.events, v1.statusUpdate('COMPLETED')] })],
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params,
          events: post.events,
          raw: 'data: {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The model is gone"}}\n\n',
        }),
      ],
    ],
    bad: [
      { example: [restStream({ ...post, raw: `event: error\ndata: ${failure}\n\n` })], messages: ['named'] },
      {
        example: [restStream({ ...post, raw: 'data: {"error":"The model is gone"}\n\n' })],
        messages: ['shape'],
      },
    ],
  },
  when: ({ events }) => events.some(({ error, index }) => error !== undefined && index > 0),
  check: ({ events }, { report }) => {
    for (const { index: event, error, eventName: name } of events) {
      if (error === undefined || event === 0) continue;
      const at = { side: 'response', event, pointer: error.pointer } as const;
      if (name !== undefined && name !== 'message')
        report('named', { data: { event, name }, at, expected: 'an event without name', actual: name });
      const { value, pointer } = error;
      const isStatus = pointer === '/error' && isJsonObject(value) && typeof value.message === 'string';
      if (!isStatus) report('shape', { data: { event }, at, expected: 'a google.rpc.Status in `error`' });
    }
  },
});
