import { describe, expect, it } from 'vitest';
import { rest, rpc, v1 } from '../examples/index.ts';
import { conversationOf } from '../testing/conversation.ts';

describe('tenants of tasks', () => {
  const send = (tenant: string | undefined) =>
    rpc({
      method: 'SendMessage',
      params: { ...(tenant === undefined ? {} : { tenant }), message: v1.message('hello') },
      result: { task: v1.task('COMPLETED') },
    });

  it('are those of the request that first showed the task', () => {
    const again = rest({ verb: 'GET', path: '/tasks/task-1?tenant=globex', response: v1.task('COMPLETED') });
    const seen = conversationOf(send('acme'), again);
    expect(seen.tenantOf('agent', 'task-1')).toBe('acme');
    expect(seen.tenantOf('agent', 'task-2')).toBeUndefined();
    expect(seen.tenantOf('another agent', 'task-1')).toBeUndefined();
    expect(conversationOf(send(undefined), send('')).tenantOf('agent', 'task-1')).toBeUndefined();
  });

  it('are texts of requests that have parameters', () => {
    for (const params of [
      { tenant: 7, id: 'task-1' },
      { tenant: null, id: 'task-1' },
      { tenant: '', id: 'task-1' },
      [],
      'acme',
      undefined,
    ]) {
      const call = rpc({
        method: 'GetTask',
        ...(params === undefined ? {} : { params }),
        result: v1.task('COMPLETED'),
      });
      expect(conversationOf(call).tenantOf('agent', 'task-1')).toBeUndefined();
    }
  });

  it('are those of the first request that names one', () => {
    const seen = conversationOf(send(undefined), send('acme'), send('globex'));
    expect(seen.tenantOf('agent', 'task-1')).toBe('acme');
    expect(seen.tenantOf('agent', undefined)).toBeUndefined();
  });
});
