import { describe, expect, it } from 'vitest';
import { rpc, v1 } from './examples/index.ts';
import { boundedLocation, fillIn, shown } from './message-text.ts';
import { rulebook } from './registry.ts';
import { captured } from './testing/captured.ts';
import { ruleOf } from './testing/rules.ts';
import { Verification } from './verification.ts';

const long = 'a'.repeat(1_000_000);

describe('shown', () => {
  it('is one line without characters that a terminal obeys', () => {
    expect(shown('a\n\u001b[2J\u202eb')).toBe('a\\u000a\\u001b[2J\\u202eb');
  });

  it('is bounded, and says how long the value is', () => {
    expect(shown(long)).toBe(`${'a'.repeat(200)}… (1000000 characters)`);
    expect(shown('\u0000'.repeat(150))).toBe(`${'\\u0000'.repeat(34).slice(0, 200)}… (150 characters)`);
  });
});

describe('shown values', () => {
  it('are as they are where they are texts, and JSON otherwise', () => {
    expect(['', 'a b', undefined, null, 7, ['a'], { a: 'b' }].map(shown)).toEqual([
      ...['', 'a b', 'nothing', 'null', '7', '["a"]', '{"a":"b"}'],
    ]);
  });

  it('are whole up to two hundred characters', () => {
    expect(shown('a'.repeat(200))).toBe('a'.repeat(200));
    expect(shown('a'.repeat(201))).toBe(`${'a'.repeat(200)}… (201 characters)`);
  });

  it('stand in the places of a message that bear their names', () => {
    const text = 'A {name} of {name}, {other} and {missing}, { } {}';
    expect(fillIn(text, { name: 'task', other: undefined })).toBe(
      'A task of task, nothing and {missing}, { } {}',
    );
    expect(fillIn('{a}{b}', { a: '{b}', b: '$&' })).toBe('{b}$&');
    expect(fillIn('{a}')).toBe('{a}');
    expect(fillIn('{constructor}', {})).toBe('{constructor}');
  });
});

describe('boundedLocation', () => {
  it('leaves what is short as it is', () => {
    const at = { side: 'request', pointer: '/params/message', header: 'A2A-Version' } as const;
    expect(boundedLocation(at)).toEqual(at);
  });

  it('points to what holds the value where a name is of any length', () => {
    expect(boundedLocation({ side: 'response', event: 2, pointer: `/result/task/${long}/b` })).toEqual({
      side: 'response',
      event: 2,
      pointer: '/result/task',
    });
    expect(boundedLocation({ side: 'request', pointer: `/${long}` })).toEqual({
      side: 'request',
      pointer: '',
    });
  });

  it('is whole up to its bounds', () => {
    const at = { side: 'request', pointer: `/${'a'.repeat(999)}`, header: 'h'.repeat(200) } as const;
    expect(boundedLocation(at)).toBe(at);
    expect(boundedLocation({ ...at, pointer: `/b/${'a'.repeat(998)}` })).toEqual({ ...at, pointer: '/b' });
    expect(boundedLocation({ ...at, header: 'h'.repeat(201) })).toEqual(at);
    const within = `/b/${'a'.repeat(997)}`;
    expect(boundedLocation({ ...at, pointer: `${within}/c` })).toEqual({ ...at, pointer: within });
    expect(boundedLocation({ ...at, pointer: long })).toEqual({ ...at, pointer: '' });
  });

  it('names no header, and points nowhere, where the location did not', () => {
    expect(boundedLocation({ side: 'request', header: long })).not.toHaveProperty('pointer');
    expect(boundedLocation({ side: 'request', pointer: `/${long}` })).not.toHaveProperty('header');
  });

  it('cuts the name of a header', () => {
    expect(boundedLocation({ side: 'request', header: long }).header).toHaveLength(200);
  });
});

it('keeps a finding small and plain, whatever a peer wrote', () => {
  const rule = ruleOf({
    scope: 'exchange',
    check: (_, { report }) =>
      report('wrong', {
        ...{ expected: `\u001b[2J${long}`, actual: long },
        at: { side: 'request', pointer: `/${long}`, header: long },
      }),
  });
  const verification = new Verification(rulebook({ version: '1', hash: 'sha256:0', rules: [rule] }));
  const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
  for (const exchange of captured([get])) verification.add(exchange);
  const text = JSON.stringify(verification.finish().findings);
  expect(text).toContain('"expected":"\\\\u001b[2Jaaa');
  expect(text.length).toBeLessThan(2000);
});
