import { expect, it } from 'vitest';
import type { Scope } from './rule.ts';
import { splitRules } from './rule-split.ts';
import { ruleOf } from './testing/rules.ts';

const isAlone = <S extends Scope>(definition: Parameters<typeof ruleOf<S>>[0]): boolean => {
  const rule = ruleOf(definition);
  const { alone, joint } = splitRules([rule]);
  expect([...alone, ...joint]).toEqual([rule]);
  return alone.length === 1;
};

it('takes rules for such as look at their subject only by the words of their functions', () => {
  expect(isAlone({ scope: 'exchange' })).toBe(true);
  expect(isAlone({ scope: 'stream', when: (stream) => stream.complete })).toBe(true);
  expect(isAlone({ scope: 'exchange', check: (_, { report }) => report('wrong') })).toBe(true);
  expect(
    isAlone({ scope: 'exchange', when: (_, { conversation }) => conversation.observedUntilNs > 0 }),
  ).toBe(false);
  expect(isAlone({ scope: 'exchange', check: (_, context) => context.report('wrong') })).toBe(false);
  expect(isAlone({ scope: 'exchange', when: (...all: readonly unknown[]) => all.length > 1 })).toBe(false);
  expect(
    isAlone({
      scope: 'exchange',
      when: function (this: unknown) {
        // biome-ignore lint/complexity/noArguments: the way of old code to a second parameter
        return arguments.length > 1;
      },
    }),
  ).toBe(false);
});

it.each(['task', 'context', 'webhook', 'discovery', 'shown-card'] as const)(
  'applies rules for a %s together with the others',
  (scope) => {
    expect(isAlone({ scope })).toBe(false);
  },
);
