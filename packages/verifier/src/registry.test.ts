import { describe, expect, it } from 'vitest';
import { rulebook, selectRules } from './registry.ts';
import type { Rule } from './rule.ts';
import { ruleOf } from './testing/rules.ts';

const rule = (more: Partial<Rule> = {}): Rule => ({ ...ruleOf({ scope: 'exchange' }), ...more });
const bookOf = (...rules: readonly Rule[]) => rulebook({ version: '1', hash: 'sha256:0', rules });

describe('a rulebook', () => {
  it('holds its rules in order of their ids', () => {
    const ids = bookOf(rule({ id: 'SSE-002' }), rule({ id: 'ART-010' }), rule({ id: 'SSE-001' })).rules.map(
      ({ id }) => id,
    );
    expect(ids).toEqual(['ART-010', 'SSE-001', 'SSE-002']);
  });

  it.each([
    ['an id that is none', [rule({ id: 'sse-1' })], 'an id is AREA-NNN'],
    ['an id twice', [rule(), rule()], 'defined twice'],
    ['a summary without a full stop', [rule({ summary: 'Nothing is wrong' })], 'one sentence'],
    ['no section', [rule({ spec: {} })], 'no version names a section'],
    ['no messages', [rule({ messages: {} })], 'no messages'],
    [
      'fewer bindings than it has',
      [rule({ fewerBindings: { '1.0': ['JSONRPC', 'GRPC'] } })],
      'the bindings of 1.0 are not some of its own',
    ],
    [
      'bindings of a version that it is not of',
      [rule({ fewerBindings: { '0.2': ['JSONRPC'] } })],
      'the bindings of 0.2 are not some of its own',
    ],
    ['a topic of what has none', [rule({ scope: 'task', about: ['GetTask'] })], 'a task is about nothing'],
    ['an empty message', [rule({ messages: { wrong: ' ' } })], 'message wrong is empty'],
  ])('refuses %s', (_, rules, problem) => {
    expect(() => bookOf(...rules)).toThrow(
      expect.objectContaining({ code: 'PLUGFEST_RULEBOOK', message: expect.stringContaining(problem) }),
    );
  });

  it('names all that is wrong at once', () => {
    expect(() => bookOf(rule({ id: 'x', spec: {} }))).toThrow(/AREA-NNN; x: no version names/);
  });

  it('takes rules that have fewer bindings in some version, and those about something', () => {
    const sound = [
      rule({ id: 'TEST-001', fewerBindings: { '1.0': ['JSONRPC'] } }),
      ...(['exchange', 'hop', 'stream'] as const).map((scope, i) =>
        rule({ id: `TEST-00${i + 2}`, scope, about: ['GetTask'] }),
      ),
    ];
    expect(bookOf(...sound).rules).toHaveLength(4);
  });
});

it('takes ids of an area and three digits, and a sentence about them', () => {
  const isSound = (more: Partial<Rule>): boolean => {
    try {
      return bookOf(rule(more)).rules.length === 1;
    } catch {
      return false;
    }
  };
  for (const id of ['AB-001', 'ABCDEF-999']) expect(isSound({ id })).toBe(true);
  for (const id of [
    'A-001',
    'ABCDEFG-001',
    'AB-01',
    'AB-0001',
    'AB001',
    'ab-001',
    'xAB-001',
    'AB-001x',
    'A1-001',
  ])
    expect(isSound({ id })).toBe(false);
  for (const summary of ['A.', '`id` is one.', '"id" is one.', 'One.\nTwo.'])
    expect(isSound({ summary })).toBe(true);
  for (const summary of ['', 'a.', '.', 'A', 'A. ', ' A.']) expect(isSound({ summary })).toBe(false);
});

describe('a selection of rules', () => {
  const book = bookOf(rule({ id: 'ART-010' }), rule({ id: 'SSE-001' }), rule({ id: 'SSE-002' }));
  const selected = (...globs: readonly string[]) => selectRules(book, globs).rules.map(({ id }) => id);

  it('has those that match one of its globs, in any case, in order of their ids', () => {
    expect(selected('SSE-*')).toEqual(['SSE-001', 'SSE-002']);
    expect(selected('sse-002', 'art-*')).toEqual(['ART-010', 'SSE-002']);
    expect(selected('*-001', 'SSE-001')).toEqual(['SSE-001']);
  });

  it('says what it is, and of which rulebook', () => {
    expect(selectRules(book, ['SSE-*'])).toMatchObject({
      version: '1',
      hash: 'sha256:0',
      selection: ['SSE-*'],
    });
    expect(book).not.toHaveProperty('selection');
  });

  it('is refused where a glob matches none', () => {
    expect(() => selected('SSE-*', 'sse-9*')).toThrow(
      expect.objectContaining({
        code: 'PLUGFEST_RULE_UNKNOWN',
        message: 'No rule matches "sse-9*"',
        hint: 'plugfest rules lists all.',
      }),
    );
  });
});
