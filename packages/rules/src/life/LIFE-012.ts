import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';
import { followUpOf } from './follow-up.ts';

const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
const send = (text: string, id: string) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message(text) },
    result: { task: v1.task('COMPLETED', { id, contextId: `ctx-of-${id}` }) },
  });

export default defineRule({
  id: 'LIFE-012',
  level: 'MUST',
  party: 'server',
  summary: 'A message that names neither task nor context gets a task with an id that was not in use.',
  spec: { '0.2': '6.1', '0.3': '6.1', '1.0': '3.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { reused: 'The new message is answered with task {task}, which exists already' },
  why: "Two clients, or two requests, then share one task: they read and cancel each other's work.",
  fix: 'Make a new unique id, such as a UUID, for every task that a message starts.',
  examples: {
    good: [
      [send('first', 'task-a'), send('second', 'task-b')],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('hello') },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('hello') },
          result: v03.task('completed'),
        }),
      ],
    ],
    skip: [
      [get],
      // It may be a repetition of an earlier one.
      [
        get,
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello', { messageId: undefined }) },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('more', { contextId: 'ctx-1' }) },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      {
        example: [
          get,
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('something else') },
            events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
          }),
        ],
        messages: ['reused'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const followUp = followUpOf(exchange, conversation);
    return followUp !== undefined && followUp.contextId === undefined;
  },
  check: (exchange, { conversation, report }) => {
    const followUp = followUpOf(exchange, conversation);
    if (followUp?.known === undefined) return;
    const { payload, taskId, known } = followUp;
    // In 1.0 a task of another context is CTX-006.
    const { contextId } = payload.task;
    const isElsewhere = Boolean(known?.contextId && contextId) && known?.contextId !== contextId;
    if (isElsewhere && exchange.dialect.version === '1.0') return;
    report('reused', {
      data: { task: taskId },
      at: placeOf(payload, '/id'),
      expected: 'a new task id',
      actual: taskId,
    });
  },
});
