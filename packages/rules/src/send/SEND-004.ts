import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { isSend, placeOf, returnedTasks } from '../sent-message.ts';

const params = { message: v1.message('hello') };
const call = { method: 'SendMessage', params } as const;

export default defineRule({
  id: 'SEND-004',
  level: 'MUST',
  party: 'server',
  summary: 'A Task that answers a send has an `id` and a `status.state`.',
  spec: { '1.0': '4.1.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    id: 'The returned task has no `id`',
    state: 'The returned task has no `status.state`',
  },
  why: 'Without the id the client can never ask for the task again, and without the state it does not know whether it has to.',
  fix: 'Fill in both before answering. A state that is missing is often one that a conversion did not know and dropped.',
  examples: {
    good: [
      [rpc({ ...call, result: { task: v1.task('COMPLETED') } })],
      [rest({ verb: 'POST', path: '/message:send', body: params, response: { task: v1.task('COMPLETED') } })],
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params,
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    skip: [
      [rpc({ ...call, result: { message: v1.reply('hi') } })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [rpc({ ...call, result: { task: v1.task('COMPLETED', { id: '' }) } })], messages: ['id'] },
      {
        example: [
          rpc({
            ...call,
            result: { task: v1.task('COMPLETED', { status: v1.status('COMPLETED', { state: undefined }) }) },
          }),
        ],
        messages: ['state'],
      },
      ...[null, ''].map((state) => ({
        example: [
          rpc({
            ...call,
            result: { task: v1.task('COMPLETED', { status: v1.status('COMPLETED', { state }) }) },
          }),
        ],
        messages: ['state'] as const,
      })),
      {
        example: [
          rpc({ ...call, result: { task: v1.task('COMPLETED', { id: undefined, status: undefined }) } }),
        ],
        messages: ['id', 'state'],
      },
    ],
  },
  when: (exchange) => isSend(exchange) && returnedTasks(exchange).length > 0,
  check: (exchange: DecodedExchange, { report }) => {
    for (const payload of returnedTasks(exchange)) {
      const { id, status, value } = payload.task;
      if (id === undefined || id === '')
        report('id', { at: placeOf(payload, '/id'), expected: 'a non-empty id', actual: value.id });
      const { rawState } = status;
      if (rawState === undefined || rawState === null || rawState === '')
        report('state', { at: placeOf(payload, '/status/state'), expected: 'a state', actual: rawState });
    }
  },
});
