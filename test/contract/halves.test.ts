import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import { loadRulebook } from '@plugfest/rules';
import { LoneVerification, splitRules, Verification } from '@plugfest/verifier';
import { expect, it } from 'vitest';

const book = await loadRulebook();
const { alone, joint } = splitRules(book.rules);

it('the rules that look at their subject only are a good part of all', () => {
  expect(alone.length).toBeGreaterThan(book.rules.length / 4);
  expect([...alone, ...joint].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(book.rules);
});

for (const rule of book.rules)
  it(`the examples of ${rule.id} are judged the same by the rulebook and by its halves`, () => {
    const { good, skip, bad } = rule.examples;
    for (const example of [...good, ...skip, ...bad.map((each) => each.example)]) {
      const captured = capturedFromNdjson(example);
      const whole = new Verification(book);
      const half = new Verification(book, {}, joint);
      const other = new LoneVerification(alone);
      for (const exchange of captured) for (const each of [whole, half, other]) each.add(exchange);
      expect(half.finish([other.judgement()])).toEqual(whole.finish());
    }
  });
