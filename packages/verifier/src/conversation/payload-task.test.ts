import { expect, it } from 'vitest';
import { getCard, rpc, rpcStream, v1 } from '../examples/index.ts';
import { decodedOne } from '../testing/conversation.ts';
import { taskIdOf } from './payload-task.ts';

/** For each payload of an answer its kind, and the task that it speaks of. */
const answered = (exchange: Parameters<typeof decodedOne>[0]) =>
  decodedOne(exchange).payloads.flatMap((payload) =>
    payload.side === 'response' ? [[payload.kind, taskIdOf(payload)]] : [],
  );

it('finds the task that a payload speaks of, whatever it is', () => {
  const params = { message: v1.message('hello') };
  const events = [
    { task: v1.task('WORKING') },
    v1.statusUpdate('WORKING', { taskId: 'task-2' }),
    v1.artifactUpdate('one', { taskId: 'task-3' }),
    { message: v1.reply('Hi', { taskId: 'task-4' }) },
    { message: v1.reply('Hi') },
  ];
  expect(answered(rpcStream({ method: 'SendStreamingMessage', params, events }))).toEqual([
    ['task', 'task-1'],
    ['statusUpdate', 'task-2'],
    ['artifactUpdate', 'task-3'],
    ['message', 'task-4'],
    ['message', undefined],
  ]);
  const create = { method: 'CreateTaskPushNotificationConfig', params: v1.pushConfig() };
  expect(answered(rpc({ ...create, result: v1.pushConfig({ taskId: 'task-5' }) }))).toEqual([
    ['pushConfig', 'task-5'],
  ]);
  expect(answered(getCard(v1.card({ id: 'task-6', taskId: 'task-6' })))).toEqual([['card', undefined]]);
});
