import { describe, expect, it } from 'vitest';
import { messageView } from './message.ts';
import { statusView } from './status.ts';
import { taskView } from './task.ts';
import { artifactUpdateView, statusUpdateView } from './updates.ts';

describe('a task', () => {
  it('has its session for a context in 0.1 only', () => {
    expect(taskView({ id: 't', sessionId: 's' }, '', '0.1').contextId).toBe('s');
    expect(taskView({ id: 't', sessionId: 's' }, '', '0.2').contextId).toBeUndefined();
    expect(taskView({ id: 't', context_id: 'c', sessionId: 's' }, '', '0.1').contextId).toBe('c');
  });

  it('has the artifacts and messages that are objects, each where it lies', () => {
    const task = taskView(
      { artifacts: [7, { artifact_id: 'a', parts: [] }], history: ['x', { message_id: 'm' }] },
      '/result',
      '1.0',
    );
    expect(task.artifacts).toEqual([
      {
        artifactId: 'a',
        name: undefined,
        parts: [],
        value: { artifact_id: 'a', parts: [] },
        pointer: '/result/artifacts/1',
      },
    ]);
    expect(task.history).toMatchObject([{ messageId: 'm', pointer: '/result/history/1' }]);
    expect(task.history).toHaveLength(1);
  });
});

describe('a message', () => {
  it('has its ids under the names of JSON or of the proto', () => {
    const ids = { messageId: 'm', taskId: 't', contextId: 'c' };
    expect(messageView(ids, '')).toMatchObject(ids);
    expect(messageView({ message_id: 'm', task_id: 't', context_id: 'c' }, '')).toMatchObject(ids);
  });

  it('refers to tasks by text alone', () => {
    expect(messageView({ referenceTaskIds: ['t', 7, null] }, '').referenceTaskIds).toEqual(['t']);
    expect(messageView({ referenceTaskIds: 't' }, '').referenceTaskIds).toEqual([]);
  });
});

describe('a status', () => {
  it('that is no object has no state', () => {
    expect(statusView('working', '/status')).toEqual({
      state: undefined,
      rawState: undefined,
      timestamp: undefined,
      message: undefined,
      value: 'working',
      pointer: '/status',
    });
  });
});

describe('an event', () => {
  it('names its task and context under the names of JSON or of the proto', () => {
    for (const view of [statusUpdateView, artifactUpdateView]) {
      expect(view({ taskId: 't', contextId: 'c' }, '', '1.0')).toMatchObject({ taskId: 't', contextId: 'c' });
      expect(view({ task_id: 't', context_id: 'c' }, '', '1.0')).toMatchObject({
        taskId: 't',
        contextId: 'c',
      });
    }
  });

  it('names its task `id` in 0.1 only', () => {
    for (const view of [statusUpdateView, artifactUpdateView]) {
      expect(view({ id: 't' }, '', '0.1').taskId).toBe('t');
      expect(view({ id: 't' }, '', '0.3').taskId).toBeUndefined();
    }
  });

  it('has the flags of a chunk beside the artifact, and in 0.1 inside of it', () => {
    const flags = { append: true, lastChunk: true };
    const set = { append: true, lastChunk: true };
    expect(artifactUpdateView({ ...flags, artifact: {} }, '', '0.2')).toMatchObject(set);
    expect(artifactUpdateView({ artifact: flags }, '', '0.1')).toMatchObject(set);
    const notSet = { append: false, lastChunk: false };
    expect(artifactUpdateView({ artifact: flags }, '', '0.2')).toMatchObject(notSet);
    expect(artifactUpdateView({ ...flags, artifact: {} }, '', '0.1')).toMatchObject(notSet);
    expect(artifactUpdateView({ append: 'true', lastChunk: 1, artifact: {} }, '', '1.0')).toMatchObject(
      notSet,
    );
    expect(artifactUpdateView({ last_chunk: true }, '', '1.0').lastChunk).toBe(true);
    expect(artifactUpdateView({ last_chunk: 'true' }, '', '1.0').lastChunk).toBe(false);
  });
});
