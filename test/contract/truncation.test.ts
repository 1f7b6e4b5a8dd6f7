import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { CapturedExchange, Finding } from '@plugfest/model';
import { header } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { describe, expect, it } from 'vitest';
import { failedRules, judgeTraffic } from './captured-traffic.ts';
import { readCases } from './cases.ts';
import { cuts, storedPart, withResponse } from './losses.ts';

const book = await loadRulebook();

const captures = [
  ...['cases.jsonl', 'more-cases.jsonl', 'field-cases.jsonl'].flatMap((file) =>
    readCases(file).map(({ id, exchange }) => ({ id, captured: capturedFromNdjson(exchange) })),
  ),
  ...book.rules.flatMap(({ id, examples }) =>
    [...examples.good, ...examples.bad.map(({ example }) => example)].map((example, index) => ({
      id: `${id} ${index}`,
      captured: capturedFromNdjson(example),
    })),
  ),
];

const fails = (findings: readonly Finding[]): ReadonlySet<string> =>
  new Set(findings.filter(({ outcome }) => outcome === 'fail').map(({ rule, party }) => `${rule} ${party}`));

const sizeOf = ({ request, response }: CapturedExchange, name: string): number =>
  (name.includes('request') ? request.body : response?.body)?.totalBytes ?? 0;

/** Some places in a body, the same in each run; also right before its end. */
function placesIn(size: number, salt: number): readonly number[] {
  if (size === 0) return [];
  const places = [0, 1, Math.floor(size / 3), (salt * 7919) % size, size - 2, size - 1];
  return [...new Set(places)].filter((at) => at >= 0 && at < size);
}

describe('what was cut off', () => {
  for (const [name, cut] of Object.entries(cuts))
    it(`creates no failure where ${name}`, () => {
      const invented: string[] = [];
      captures.forEach(({ id, captured }, salt) => {
        // One in sixteen keeps the run short; which ones is fixed.
        if (salt % 16 !== name.length % 16) return;
        const last = captured.length - 1;
        const known = fails(judgeTraffic(book, captured).findings);
        const exchange = captured[last];
        if (exchange === undefined) return;
        for (const at of placesIn(sizeOf(exchange, name), salt)) {
          const judged = judgeTraffic(book, [...captured.slice(0, last), cut(exchange, at)]);
          expect(failedRules(judged)).toEqual([]);
          for (const found of fails(judged.findings))
            if (!known.has(found)) invented.push(`${id}, cut at ${at}: ${found}`);
        }
      });
      expect(invented).toEqual([]);
    }, 20_000);

  it('lets no rule pass that fails on the whole response', () => {
    const passed: string[] = [];
    captures.forEach(({ id, captured }, salt) => {
      if (salt % 8 !== 0) return;
      const last = captured.at(-1);
      const size = last?.response?.body.totalBytes ?? 0;
      // What a stream shows before a cut is judged for itself.
      if (last === undefined || size === 0 || isStream(last)) return;
      const broken = judgeTraffic(book, captured)
        .findings.filter(
          ({ exchange, at, outcome }) =>
            outcome === 'fail' && exchange === last.id && at?.side === 'response',
        )
        .map(({ rule }) => rule);
      const cut = withResponse(last, (body) => storedPart(body, Math.floor(size / 2)));
      const before = judgeTraffic(book, captured.slice(0, -1)).rules;
      const exercisedBefore = new Set(before.filter(({ exercised }) => exercised > 0).map((rule) => rule.id));
      for (const { id: rule, status, undecidable } of judgeTraffic(book, [...captured.slice(0, -1), cut])
        .rules)
        if (broken.includes(rule) && !exercisedBefore.has(rule) && status === 'pass' && undecidable === 0)
          passed.push(`${id}: ${rule}`);
    });
    expect(passed).toEqual([]);
  }, 20_000);
});

const isStream = ({ response }: CapturedExchange): boolean =>
  /^(?:text\/event-stream|application\/grpc)/.test(header(response?.headers ?? [], 'content-type') ?? '');
