import { describe, expect, test } from 'vitest';
import { crossings, type Sent } from './crossing.ts';

function sent(nonce: string, said = nonce, ids: { taskId?: string; contextId?: string } = {}): Sent {
  const { taskId = `task-${nonce}`, contextId = `context-${nonce}` } = ids;
  const artifacts = [{ artifactId: 'a', text: said }];
  const state = 'TASK_STATE_COMPLETED';
  return {
    nonce,
    result: { ok: true, events: [{ kind: 'task', taskId, contextId, state, text: said, artifacts }] },
  };
}

describe('sends that ran at once', () => {
  test('keep to themselves', () => {
    expect(crossings([sent('N1'), sent('N2'), sent('N3')])).toEqual([]);
  });

  test("have another one's text", () => {
    expect(crossings([sent('N1', 'N2'), sent('N2', 'N1')]).join()).toContain(
      'the answer to N1 has the text of N2',
    );
  });

  test('share a task or a context', () => {
    const shared = crossings([sent('N1', 'N1', { taskId: 't' }), sent('N2', 'N2', { taskId: 't' })]);
    expect(shared).toEqual(['N2 and N1 share the task t']);
    const context = crossings([sent('N1', 'N1', { contextId: 'c' }), sent('N2', 'N2', { contextId: 'c' })]);
    expect(context).toEqual(['N2 and N1 share the context c']);
  });

  test("hear another task's event in their stream", () => {
    const state = 'TASK_STATE_COMPLETED';
    const ids = { taskId: 'task-N1', contextId: 'context-N1' };
    const stray = { kind: 'status', ...ids, taskId: 'task-N2', state, text: 'N1' } as const;
    const own = sent('N1');
    const both = { ...own, result: { ...own.result, events: [...own.result.events, stray] } };
    expect(crossings([both, sent('N2')])).toContain('the answer to N1 names 2 tasks');
  });
});
