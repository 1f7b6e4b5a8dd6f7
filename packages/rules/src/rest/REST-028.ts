import { isStreaming } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, restStream, v1 } from '@plugfest/verifier/examples';
import { isSuccess } from './success.ts';

const get = { verb: 'GET', path: '/tasks/task-1' } as const;
const send = { verb: 'POST', path: '/message:send', body: { message: v1.message('hello') } } as const;

export default defineRule({
  id: 'REST-028',
  level: 'SHOULD',
  party: 'server',
  summary: 'Only the two streaming paths are answered by an event stream.',
  spec: { '1.0': '11.7' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: { stream: '{operation} is answered by an event stream, as if it were a streaming call' },
  why: 'The client reads one JSON document and fails at the first `data:`; many accept event streams with every request, because their library does.',
  fix: 'Let the path decide: stream from `/message:stream` and `/tasks/{id}:subscribe`, and answer all others with one document.',
  examples: {
    good: [
      [rest({ ...get, response: v1.task('WORKING') })],
      [
        rest({
          ...send,
          headers: { Accept: 'application/json, text/event-stream' },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    skip: [
      [
        restStream({
          ...send,
          path: '/message:stream',
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
      [rest({ ...get, status: 404, responseText: '' })],
      // An extension may have a stream of its own.
      [restStream({ verb: 'GET', path: '/things', events: [{ thing: 1 }] })],
    ],
    bad: [
      { example: [restStream({ ...send, events: [{ task: v1.task('COMPLETED') }] })], messages: ['stream'] },
    ],
  },
  when: ({ operation, response }) =>
    operation !== undefined && !isStreaming(operation) && isSuccess(response),
  check: ({ operation, response }, { report }) => {
    if (response?.mediaType !== 'text/event-stream') return;
    report('stream', {
      data: { operation },
      at: { side: 'response', header: 'Content-Type' },
      expected: 'one JSON document',
      actual: response.mediaType,
    });
  },
});
