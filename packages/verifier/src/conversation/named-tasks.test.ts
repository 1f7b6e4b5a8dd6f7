import { expect, it } from 'vitest';
import { rpc, rpcStream, v1 } from '../examples/index.ts';
import type { Sighting } from '../subjects.ts';
import { conversationOf } from '../testing/conversation.ts';
import { NamedTasks } from './named-tasks.ts';

const sighting = (seq: number) => () => ({ seq }) as Sighting;

it('knows where an agent first named a task in a direct reply', () => {
  const send = (taskId: string | undefined) =>
    rpc({
      method: 'SendMessage',
      params: { message: v1.message('hello') },
      result: { message: v1.reply('Hi', { taskId }) },
    });
  const streamed = rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('hello') },
    events: [{ message: v1.reply('Hi', { taskId: 'task-2' }) }],
  });
  const conversation = conversationOf(send(undefined), send('task-1'), send('task-1'), streamed);
  expect(conversation.namedInReply('agent', 'task-1')).toMatchObject({
    exchange: { id: 'x1' },
    side: 'response',
    pointer: '/result/message',
  });
  expect(conversation.namedInReply('agent', 'task-2')).toMatchObject({ exchange: { id: 'x3' }, event: 0 });
  expect(conversation.namedInReply('another agent', 'task-1')).toBeUndefined();
});

it('keeps a bounded number of names, the first ones', () => {
  const named = new NamedTasks();
  for (let i = 0; i < 4097; i += 1) named.add('agent', `task-${i}`, sighting(i));
  named.add('agent', 'task-0', sighting(-1));
  expect(named.of('agent', 'task-0')?.seq).toBe(0);
  expect(named.of('agent', 'task-4095')?.seq).toBe(4095);
  expect(named.of('agent', 'task-4096')).toBeUndefined();
});
