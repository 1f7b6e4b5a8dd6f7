import { decodeExchange } from '@plugfest/a2a';
import { expect, it } from 'vitest';
import { Conversation } from '../conversation.ts';
import { rpc, v1 } from '../examples/index.ts';
import { captured } from '../testing/captured.ts';

function configsAfter(count: number): number {
  const conversation = new Conversation();
  const calls = Array.from({ length: count }, (_, index) =>
    rpc({
      method: 'CreateTaskPushNotificationConfig',
      params: v1.pushConfig(),
      result: v1.pushConfig({ id: `config-${index}` }),
    }),
  );
  for (const exchange of captured(calls)) conversation.add(decodeExchange(exchange));
  return conversation.configsOf('agent', 'task-1').length;
}

it('knows the configs of a task, and none of a task that has more than can be compared', () => {
  expect(configsAfter(256)).toBe(256);
  expect(configsAfter(257)).toBe(0);
});
