import { expect, it } from 'vitest';
import type { Sighting } from '../subjects.ts';
import { Contexts } from './contexts.ts';

const sighting = (seq: number) => () => ({ seq }) as Sighting;
const context = { agent: 'agent', id: 'ctx-1', version: '1.0' } as const;

it.each([31, 32, 33, 100])('lists each of %i tasks once, in order of first sight', (count) => {
  const contexts = new Contexts();
  const ids = Array.from({ length: count }, (_, i) => `task-${i}`);
  for (const taskId of [...ids, ...ids, ...ids.toReversed()])
    contexts.name({ ...context, by: 'server', taskId }, sighting(0));
  expect(contexts.get('agent', 'ctx-1')?.taskIds).toEqual(ids);
});

it('keeps the first sighting of each side, and asks for no other', () => {
  const contexts = new Contexts();
  contexts.name({ ...context, by: 'client' }, sighting(1));
  contexts.name({ ...context, by: 'server' }, sighting(2));
  for (const by of ['client', 'server'] as const)
    contexts.name({ ...context, by }, () => {
      throw new Error('not the first');
    });
  expect([...contexts.all()]).toEqual([
    { ...context, taskIds: [], firstFromClient: { seq: 1 }, firstFromServer: { seq: 2 } },
  ]);
  expect(contexts.get('another agent', 'ctx-1')).toBeUndefined();
});
