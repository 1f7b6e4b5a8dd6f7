import { defineRule } from '@plugfest/verifier';
import { rest, restStream, rpc, v1 } from '@plugfest/verifier/examples';

const send = { verb: 'POST', path: '/message:send', body: { message: v1.message('hello') } } as const;
const response = { task: v1.task('COMPLETED') };
const enveloped = { jsonrpc: '2.0', id: 1, result: response };

export default defineRule({
  id: 'REST-021',
  level: 'MUST',
  party: 'sender',
  summary: 'HTTP+JSON bodies and events are the protocol objects themselves, without a JSON-RPC envelope.',
  spec: { '1.0': '11.4' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: { envelope: 'The {place} is a JSON-RPC envelope' },
  why: 'The peer looks for `task`, `message` or `error` at the top of the body and finds `jsonrpc`: to it the body is empty.',
  fix: 'Send what would be `params`, `result` or `error` in JSON-RPC as the body itself; the error goes into the form of section 11.6.',
  examples: {
    good: [
      [rest({ ...send, response })],
      [
        restStream({
          verb: 'POST',
          path: '/message:stream',
          body: { message: v1.message('hello') },
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', status: 404, responseText: '' })],
      [restStream({ verb: 'GET', path: '/tasks/task-1:subscribe', events: [], raw: 'data: oops\n\n' })],
    ],
    bad: [
      { example: [rest({ ...send, response: enveloped })], messages: ['envelope'] },
      {
        example: [
          rest({
            ...send,
            body: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: send.body },
            response,
          }),
        ],
        messages: ['envelope'],
      },
      {
        example: [
          restStream({
            verb: 'POST',
            path: '/message:stream',
            body: { message: v1.message('hello') },
            events: [
              { jsonrpc: '2.0', id: 1, result: { task: v1.task('WORKING') } },
              { jsonrpc: '2.0', id: 1, result: v1.statusUpdate('COMPLETED') },
            ],
          }),
        ],
        messages: ['envelope'],
      },
    ],
  },
  when: ({ request, response }) =>
    request.json.state === 'ok' ||
    response?.json.state === 'ok' ||
    response?.events?.some(({ json }) => json.state === 'ok') === true,
  check: ({ request, response }, { report }) => {
    const expected = 'the object without envelope';
    if (request.rpc !== undefined)
      report('envelope', {
        data: { place: 'request body' },
        at: { side: 'request', pointer: '/jsonrpc' },
        expected,
      });
    if (response?.rpc !== undefined)
      report('envelope', {
        data: { place: 'response body' },
        at: { side: 'response', pointer: '/jsonrpc' },
        expected,
      });
    // A server envelopes all events or none: the first is enough.
    const event = response?.events?.find(({ rpc: envelope }) => envelope !== undefined);
    if (event !== undefined)
      report('envelope', {
        data: { place: `event ${event.index}` },
        at: { side: 'response', event: event.index, pointer: '/jsonrpc' },
        expected,
      });
  },
});
