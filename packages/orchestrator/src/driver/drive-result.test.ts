import { describe, expect, test } from 'vitest';
import { DriveFailure } from './drive.ts';
import { readDriveResult } from './drive-result.ts';

const good = {
  plugfest: 'drive-result/1',
  op: 'GetTask',
  ok: true,
  events: [
    { kind: 'task', taskId: 't', contextId: null, state: 'TASK_STATE_WORKING', text: '', artifacts: null },
    { kind: 'unknown', extra: 1 },
  ],
};

describe('a drive result', () => {
  test('is read, with what SDKs leave out filled in', () => {
    expect(readDriveResult(good, 'GetTask', 'amber').events).toEqual([
      { kind: 'task', taskId: 't', contextId: '', state: 'TASK_STATE_WORKING', text: '', artifacts: [] },
      { kind: 'unknown' },
    ]);
  });

  test('may have lost its empty list of events', () => {
    const error = { name: 'TaskNotFoundError', message: 'gone' };
    expect(readDriveResult({ ...good, ok: false, events: null, error }, 'GetTask', 'amber').events).toEqual(
      [],
    );
  });

  test('may be a refusal', () => {
    const error = { name: 'TaskNotFoundError', code: -32001, message: 'gone' };
    expect(readDriveResult({ ...good, ok: false, events: [], error }, 'GetTask', 'amber')).toEqual({
      ok: false,
      events: [],
      error,
    });
  });

  test.each([
    [undefined, /amber gave a malformed drive-result/],
    [{ ...good, plugfest: 'drive-result/2' }, /\/plugfest/],
    [{ ...good, op: 'SendMessage' }, /amber answered the drive call GetTask with a result for SendMessage/],
    [{ ...good, ok: false }, /says that GetTask failed, but not how/],
    [{ ...good, events: [{ kind: 'task', state: 'DONE' }] }, /\/events\/0\/state/],
    [{ ...good, events: [{ kind: 'novelty' }] }, /\/events\/0\/kind/],
  ])('that is malformed fails with the place: %#', (value, message) => {
    expect(() => readDriveResult(value, 'GetTask', 'amber')).toThrow(DriveFailure);
    expect(() => readDriveResult(value, 'GetTask', 'amber')).toThrow(message);
  });
});
