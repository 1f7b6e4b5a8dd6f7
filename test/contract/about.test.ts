import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import { loadRulebook } from '@plugfest/rules';
import { type Rule, rulebook, Verification } from '@plugfest/verifier';
import { expect, it } from 'vitest';
import { corpus } from '../mutation/corpus.ts';

const book = await loadRulebook();
const curious = rulebook({
  ...book,
  rules: book.rules.map(({ about: _, shown: __, ...rule }): Rule => rule),
});

type Example = Parameters<typeof capturedFromNdjson>[0];

function expectSame(example: Example): void {
  const captured = capturedFromNdjson(example);
  const [spared, asked] = [new Verification(book), new Verification(curious)];
  for (const exchange of captured) for (const each of [spared, asked]) each.add(exchange);
  expect(spared.finish()).toEqual(asked.finish());
}

it('a good part of the rules say what they are about', () => {
  expect(book.rules.filter(({ about }) => about !== undefined).length).toBeGreaterThan(book.rules.length / 5);
});

for (const rule of book.rules)
  it(`the examples of ${rule.id} are judged as if every rule were asked of all exchanges`, () => {
    const { good, skip, bad } = rule.examples;
    for (const example of [...good, ...skip, ...bad.map((each) => each.example)]) expectSame(example);
  });

it('so is the rest of the traffic that we have', () => {
  for (const traffic of corpus()) expectSame(traffic);
});
