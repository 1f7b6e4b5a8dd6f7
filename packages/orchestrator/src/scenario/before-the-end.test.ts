import { expect, test } from 'vitest';
import type { DriveResult, TaskEvent } from '../driver/drive.ts';
import { type Attempt, beforeTheEnd } from './before-the-end.ts';

const task = (state: TaskEvent['state']): DriveResult => ({
  ok: true,
  events: [{ kind: 'task', taskId: 't', contextId: 'c', state, text: '', artifacts: [] }],
});
const refused: DriveResult = { ok: false, events: [], error: { name: 'InternalError', message: 'no' } };

/** How long the tasks of the attempts ran, where GetTask tells this state. */
async function tried(
  attempt: Omit<Attempt, 'taskId'>,
  state: TaskEvent['state'] = 'TASK_STATE_COMPLETED',
  shortMs?: number,
): Promise<readonly number[]> {
  const lengths: number[] = [];
  await beforeTheEnd(
    { call: async () => task(state) },
    async (workMs) => {
      lengths.push(workMs);
      return { taskId: 't', ...attempt };
    },
    shortMs,
  );
  return lengths;
}

test('what comes in time is tried once', async () => {
  expect(await tried({ results: [task('TASK_STATE_WORKING')] })).toEqual([1200]);
  expect(await tried({ results: [], tooLate: false }, 'TASK_STATE_COMPLETED', 700)).toEqual([700]);
});

test('what comes too late is tried again with a longer task, whether a call failed or not', async () => {
  expect(await tried({ results: [refused] })).toEqual([1200, 8000]);
  expect(await tried({ results: [task('TASK_STATE_COMPLETED')], tooLate: true })).toEqual([1200, 8000]);
});

test('what fails while the task runs is a failure', async () => {
  expect(await tried({ results: [refused] }, 'TASK_STATE_WORKING')).toEqual([1200]);
});
