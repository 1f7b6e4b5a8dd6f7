import type { Json } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { readJson } from '../json-text.ts';
import { limits } from '../limits.ts';
import { everyKind } from './every-kind.fixture.ts';
import { PartSchema, TaskSchema } from './generated/lf/a2a/v1/a2a_pb.ts';
import { readJsonMessage } from './json-message.ts';
import { withoutOtherPackage } from './other-package.ts';

const bodyOf = (value: Json) => readJson(JSON.stringify(value), true, true);
const read = (value: Json) => readJsonMessage(everyKind(), bodyOf(value));

describe('a message that a recorder wrote as JSON', () => {
  it('has JSON names, and enums by name', () => {
    const value = {
      ...{ whole_number: 1, state: 1, states: [0, 1, 'BUSY', 9], by_name: { a: { id: 'x' } } },
      ...{ labels: { b: 'y' }, many: [{ id: 'z' }], one: { id: 'w' }, numbers: [1, 0] },
    };
    expect(read(value).value).toEqual({
      ...{ wholeNumber: 1, state: 'BUSY', states: ['NONE', 'BUSY', 'BUSY', 9], byName: { a: { id: 'x' } } },
      ...{ labels: { b: 'y' }, many: [{ id: 'z' }], one: { id: 'w' }, numbers: [1, 0] },
    });
    expect(read({ state: 9 }).value).toEqual({ state: 9 });
  });

  it('lacks what the wire does not carry: defaults, empty lists and maps, and null', () => {
    const defaults = {
      text: '',
      wholeNumber: 0,
      flag: false,
      state: 'NONE',
      states: [],
      labels: {},
      byName: {},
    };
    expect(read(defaults).value).toEqual({});
    expect(read({ state: 0 }).value).toEqual({});
    expect(read({ text: null, state: null, one: null }).value).toEqual({});
  });

  it('keeps what was set though it is the default, empty messages, and what is of a wrong kind', () => {
    for (const value of [
      { limit: 0 },
      { one: {} },
      { labels: [] },
      { many: {} },
      { states: 'x' },
      { one: 'x' },
    ])
      expect(read(value).value).toEqual(value);
    expect(readJsonMessage(PartSchema, bodyOf({ data: null })).value).toEqual({ data: null });
    expect(readJsonMessage(PartSchema, bodyOf({ text: '' })).value).toEqual({ text: '' });
  });

  it('lists the members that the definition does not have where they lie, 64 of them', () => {
    const more = { more: 1 };
    const { value, unknownFields } = read({ ...more, one: more, many: [{}, more], byName: { 'a/b': more } });
    expect(value).toMatchObject({ more: 1, byName: { 'a/b': more } });
    expect(unknownFields).toEqual([
      { message: 'test.All', name: 'more', pointer: '' },
      { message: 'test.Inner', name: 'more', pointer: '/one' },
      { message: 'test.Inner', name: 'more', pointer: '/many/1' },
      { message: 'test.Inner', name: 'more', pointer: '/byName/a~1b' },
    ]);
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`m${i}`, 1]));
    expect(read(many).unknownFields).toHaveLength(limits.duplicates);
  });

  it('is left alone where it could not be read', () => {
    for (const text of ['{"id"', '']) {
      const body = readJson(text, true, false);
      expect(readJsonMessage(everyKind(), body)).toBe(body);
    }
    const body = { ...bodyOf({ text: '' }), state: 'truncated' } as const;
    expect(readJsonMessage(everyKind(), body)).toBe(body);
  });
});

describe('a message that was meant for the other package', () => {
  const sound = { id: 't', status: { state: 'TASK_STATE_WORKING' } };
  const judged = (value: Json) => withoutOtherPackage(TaskSchema, bodyOf(value), () => bodyOf(sound));

  it('is one where any object in it lacks what makes sense of it', () => {
    const artifact = { artifactId: 'a', parts: [] };
    for (const value of [
      { id: 't' },
      { ...sound, artifacts: [artifact, { artifactId: 'b' }] },
      { ...sound, status: { message: { messageId: 'm' } } },
    ])
      expect(judged(value)).toMatchObject({
        state: 'invalid',
        problem: 'reads as a2a.v1.Task',
        otherPackage: 'a2a.v1.Task',
      });
  });

  it('is none where all is there, or is no object at all', () => {
    for (const value of [sound, { ...sound, status: 'x' }, { ...sound, artifacts: [] }, 'x']) {
      const body = bodyOf(value);
      expect(withoutOtherPackage(TaskSchema, body, () => bodyOf(sound))).toBe(body);
    }
  });

  it('is none where it makes no more sense there', () => {
    const body = bodyOf({ id: 't' });
    const readAs = (as: Partial<ReturnType<typeof bodyOf>>) =>
      withoutOtherPackage(TaskSchema, body, () => ({ ...bodyOf(sound), ...as }));
    const unknown = { message: 'a2a.v1.Message', wireType: 2, pointer: '' };
    expect(readAs({ value: { id: 't' } })).toBe(body);
    expect(readAs({ state: 'invalid' })).toBe(body);
    // Field 5 of a message is one of 1.0's, field 99 is of no version.
    expect(readAs({ unknownFields: [{ ...unknown, number: 5 }] }).otherPackage).toBe(undefined);
    expect(readAs({ unknownFields: [{ ...unknown, number: 99 }] }).otherPackage).toBe('a2a.v1.Task');
  });
});
