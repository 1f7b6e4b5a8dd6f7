import type { Json } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { looksLikeTask, shapeVersion } from './shape.ts';

describe('shapeVersion', () => {
  it.each<[string, Json, ReturnType<typeof shapeVersion>]>([
    ['a kind', { kind: 'artifact-update', sessionId: 's' }, '0.3'],
    ['a kind that A2A does not have', { kind: 'job' }, undefined],
    ['each wrapper', { artifactUpdate: {} }, '1.0'],
    ['a message with a task in it', { message: {}, parts: [] }, undefined],
    ['a task with a message beside its status', { message: {}, status: {} }, undefined],
    ['a wrapper that holds no object', { task: 't' }, undefined],
    ['a session', { id: 't', sessionId: 's', contextId: 'c' }, '0.1'],
    ['a state of 1.0', { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } }, '1.0'],
    ['a state that only starts like one', { status: { state: 'TASK_STATE' } }, undefined],
    ['a state that says nothing', { id: 't', status: { state: 'working' } }, undefined],
    ['the parts of a status message', { status: { message: { parts: [{ type: 'text' }] } } }, '0.1'],
    ['the same of 0.3', { status: { message: { parts: [{ kind: 'text' }] } } }, '0.3'],
    ['a status message without parts', { status: { message: 'text' } }, undefined],
    ['a role of 1.0', { role: 'ROLE_AGENT', contextId: 'c' }, '1.0'],
    ['the other role of 1.0', { role: 'ROLE_USER', contextId: 'c' }, '1.0'],
    ['a role of 0.x with parts of 0.1', { role: 'user', parts: [{ type: 'file' }] }, '0.1'],
    ['a role of 0.x with parts of 0.3', { role: 'user', parts: [{ kind: 'file' }] }, '0.3'],
    ['parts without kind or type', { role: 'user', parts: [{ text: 'x' }] }, undefined],
    ['parts of a type that 0.1 does not have', { parts: [{ type: 'image' }] }, undefined],
    ['data of 0.1', { parts: [{ type: 'data' }] }, '0.1'],
    ['a part that is no object', { parts: ['x'] }, undefined],
    ['no parts', { parts: [] }, undefined],
    ['an artifact of 0.1', { id: 't', artifact: { index: 0 } }, '0.1'],
    ['an artifact with an id', { id: 't', artifact: { index: 0, artifactId: 'a' } }, undefined],
    ['an artifact by its parts', { artifact: { artifactId: 'a', parts: [{ kind: 'text' }] } }, '0.3'],
    ['an index that is no number', { artifact: { index: '0' } }, undefined],
    ['the first of several artifacts', { artifacts: [{ index: 0 }, { artifactId: 'a' }] }, '0.1'],
    ['artifacts that are no list', { artifacts: { index: 0 } }, undefined],
    ['a context', { contextId: 'c' }, '0.3'],
    ['the task of an event', { taskId: 't' }, '0.3'],
    ['the end of a 0.1 stream', { id: 't', final: false }, '0.1'],
    ['an end of nothing', { final: true }, undefined],
    ['nothing but an id', { id: 't' }, undefined],
    ['text', 'task', undefined],
    ['a list', [{ kind: 'task' }], undefined],
  ])('decides by %s', (_what, value, version) => {
    expect(shapeVersion(value)).toBe(version);
  });
});

describe('looksLikeTask', () => {
  it('wants an id and a state that some version has', () => {
    expect(looksLikeTask({ id: 't', status: { state: 'working' } })).toBe(true);
    expect(looksLikeTask({ id: 't', status: { state: 'busy' } })).toBe(false);
    expect(looksLikeTask({ id: 't', status: 'working' })).toBe(false);
    expect(looksLikeTask({ status: { state: 'working' } })).toBe(false);
  });
});
