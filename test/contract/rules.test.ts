import { decodeExchange } from '@plugfest/a2a';
import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { Example } from '@plugfest/verifier/examples';
import { describe, expect, it } from 'vitest';
import { exercisedBy, harmless } from './harmless.ts';
import { book, type Judged, judge, messagesOf } from './judging.ts';

describe('the rulebook', () => {
  it('has at least 80 rules', () => {
    expect(book.rules.length).toBeGreaterThanOrEqual(80);
  });
});

for (const rule of book.rules) {
  describe(rule.id, () => {
    it('has an example of each sort, and a bad one for each message', () => {
      expect(rule.examples.good.length).toBeGreaterThan(0);
      expect(rule.examples.skip.length).toBeGreaterThan(0);
      const shown = new Set(rule.examples.bad.flatMap(({ messages }) => messages));
      expect([...shown].sort()).toEqual(Object.keys(rule.messages).sort());
    });

    rule.examples.good.forEach((example: Example, index) => {
      const captured = capturedFromNdjson(example);
      it(`is exercised by good example ${index}, and no rule finds fault with it`, () => {
        const judged = judge(captured);
        expect(judged.rules.get(rule.id)).toMatchObject({ status: 'pass' });
        expect(judged.findings.filter(({ outcome }) => outcome !== 'info')).toEqual([]);
      });
      for (const [name, change] of Object.entries(harmless)) {
        it(`judges good example ${index} the same with ${name}`, () => {
          const before = judge(captured);
          const after = judge(captured.map(change));
          const others = ({ rules }: Judged) =>
            [...rules.values()].filter(({ id }) => id !== exercisedBy[name]);
          expect(others(after)).toEqual(others(before));
          expect(after.findings).toEqual(before.findings);
        });
      }
    });

    rule.examples.skip.forEach((example, index) => {
      it(`does not apply to skip example ${index}`, () => {
        const judged = judge(capturedFromNdjson(example));
        expect(judged.rules.get(rule.id)?.exercised).toBe(0);
        expect(messagesOf(rule, judged)).toEqual([]);
      });
    });

    it('says why, where a finding weighs less than its level', () => {
      const outcomes = rule.examples.bad
        .flatMap(({ example }) => judge(capturedFromNdjson(example)).findings)
        .filter((finding) => finding.rule === rule.id && rule.level === 'MUST')
        .map(({ outcome }) => outcome);
      if (outcomes.includes('warn')) expect(rule.why).toMatch(/warn/);
      if (outcomes.includes('info')) expect(rule.why).toMatch(/information|noted|never failed/);
    });

    rule.examples.bad.forEach(({ example, messages, outcomes }, index) => {
      const captured = capturedFromNdjson(example);
      it(`gives exactly its messages on bad example ${index}`, () => {
        const judged = judge(captured);
        expect(messagesOf(rule, judged)).toEqual([...messages]);
        const own = judged.findings.filter((finding) => finding.rule === rule.id);
        if (outcomes !== undefined) expect(own.map(({ outcome }) => outcome)).toEqual([...outcomes]);
      });
      for (const [name, change] of Object.entries(harmless)) {
        it(`gives the same messages on bad example ${index} with ${name}`, () => {
          expect(messagesOf(rule, judge(captured.map(change)))).toEqual([...messages]);
        });
      }
    });
  });
}

it('decodes every example as A2A traffic', () => {
  const strangers: string[] = [];
  for (const rule of book.rules) {
    const examples = [...rule.examples.good, ...rule.examples.bad.map(({ example }) => example)];
    for (const example of examples)
      if (capturedFromNdjson(example).every((captured) => decodeExchange(captured).kind === 'other'))
        strangers.push(rule.id);
  }
  expect(strangers).toEqual([]);
});
