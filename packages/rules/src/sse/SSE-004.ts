import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { restError, restStream, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { membersOfStreamResponse, streamResponseMembers } from '../stream-response.ts';

const call = { verb: 'POST', path: '/message:stream', body: { message: v1.message('hello') } } as const;
const working = { task: v1.task('WORKING') };

export default defineRule({
  id: 'SSE-004',
  level: 'MUST',
  party: 'server',
  summary: 'What a stream event carries is a StreamResponse: an object with one of its four members.',
  spec: { '1.0': '3.2.3, 11.7' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'stream',
  messages: {
    shape: 'Event {event} is no object, but {found}',
    none: 'Event {event} has none of `task`, `message`, `statusUpdate` and `artifactUpdate`, but {found}',
    error: 'Event {event} reports an error in a form of its own',
  },
  where: { error: { bindings: ['HTTP+JSON'] } },
  why: 'Clients find out what an event is by its one member; another shape is skipped or breaks the stream. How an HTTP+JSON stream reports an error is not specified, so an error that is no error body of section 11.6 is a warning.',
  fix: 'Send `{"task": …}`, `{"message": …}`, `{"statusUpdate": …}` or `{"artifactUpdate": …}`, nothing around it; errors as `{"error": {"code", "status", "message", "details"}}`.',
  examples: {
    good: [
      [restStream({ ...call, events: [working, v1.artifactUpdate('answer'), v1.statusUpdate('COMPLETED')] })],
      [restStream({ ...call, events: [working, restError(500, 'INTERNAL', 'The model is gone')] })],
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params: call.body,
          events: [{ message: v1.reply('hi') }],
        }),
      ],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      { example: [restStream({ ...call, events: [working, ['COMPLETED']] })], messages: ['shape'] },
      { example: [restStream({ ...call, events: [v1.task('COMPLETED')] })], messages: ['none'] },
      {
        example: [
          rpcStream({ method: 'SendStreamingMessage', params: call.body, events: [v1.task('COMPLETED')] }),
        ],
        messages: ['none'],
      },
      {
        example: [rpcStream({ method: 'SendStreamingMessage', params: call.body, events: ['done'] })],
        messages: ['shape'],
      },
      {
        example: [restStream({ ...call, events: [working, { error: 'The model is gone' }] })],
        messages: ['error'],
      },
    ],
  },
  when: ({ events }) => events.some((event) => event.json.state === 'ok' && event.payload !== undefined),
  check: ({ exchange, events }, { report }) => {
    for (const { index, json, payload, pointer, error } of events) {
      if (json.state !== 'ok') continue;
      const at = { side: 'response', event: index, pointer } as const;
      if (error !== undefined) {
        // Errors of JSON-RPC streams have a shape of their own, which SSE-023 judges.
        if (exchange.dialect?.binding === 'HTTP+JSON' && !isErrorBody(json.value))
          report('error', {
            outcome: 'warn',
            data: { event: index },
            at,
            expected: 'an error object with code and message',
            actual: json.value,
          });
        continue;
      }
      if (payload === undefined) continue;
      if (!isJsonObject(payload)) {
        report('shape', {
          data: { event: index, found: payload },
          at,
          expected: 'an object',
          actual: payload,
        });
        continue;
      }
      // Several at once are the matter of JSON-017.
      if (membersOfStreamResponse(payload).length > 0) continue;
      report('none', {
        data: { event: index, found: Object.keys(payload).join(', ') || 'no member' },
        at,
        expected: `one of ${streamResponseMembers.join(', ')}`,
      });
    }
  },
});

/** An error as section 11.6 has it, with or without its JSON-RPC-like neighbours. */
function isErrorBody(value: Json | undefined): boolean {
  const error = isJsonObject(value) ? (value.error ?? value) : undefined;
  return isJsonObject(error) && typeof error.code === 'number' && typeof error.message === 'string';
}
