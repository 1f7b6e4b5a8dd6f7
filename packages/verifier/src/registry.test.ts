import { describe, expect, it } from 'vitest';
import { rulebook } from './registry.ts';
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
    ['an empty message', [rule({ messages: { wrong: ' ' } })], 'message wrong is empty'],
  ])('refuses %s', (_, rules, problem) => {
    expect(() => bookOf(...rules)).toThrow(
      expect.objectContaining({ code: 'PLUGFEST_RULEBOOK', message: expect.stringContaining(problem) }),
    );
  });

  it('names all that is wrong at once', () => {
    expect(() => bookOf(rule({ id: 'x', spec: {} }))).toThrow(/AREA-NNN.*no version names/);
  });
});
