import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { Finding } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { Verification } from '@plugfest/verifier';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NdjsonLine, readCases } from './cases.ts';
import { harmless } from './harmless.ts';

const book = await loadRulebook();
const cases = readCases('cases.jsonl').map(({ id, exchange }) => ({ id, lines: exchange }));
const examples = book.rules.flatMap(({ id, examples: { good, bad } }) =>
  [...good, ...bad.map(({ example }) => example)].map((example, index) => ({
    id: `${id} ${index}`,
    lines: example,
  })),
);
const captures = [...cases, ...examples];

/** The same traffic between others, on other hosts. */
const elsewhere = (lines: readonly NdjsonLine[]): readonly NdjsonLine[] =>
  lines.map((line) => {
    const text = JSON.stringify({ ...line, from: undefined, to: undefined });
    const named = text.replaceAll('.example', '.elsewhere.example').replaceAll('http://gw/', 'http://gw2/');
    return { ...(JSON.parse(named) as object), from: elsewhereOf(line.from), to: elsewhereOf(line.to) };
  });
// Calls of this one role are deliveries.
const elsewhereOf = (name: string): string => (name === 'webhook receiver' ? name : `${name} elsewhere`);

/** Texts name hosts, ids and lengths, which are others elsewhere. */
const keyOf = ({ rule, outcome, party, agent, at }: Finding): string =>
  JSON.stringify([rule, outcome, party, agent.replace(' elsewhere', ''), at]).replaceAll('.elsewhere', '');

/** What was found, by the place of the exchange in its own capture. */
function findingsOf(lines: readonly NdjsonLine[]): readonly (readonly [index: number, finding: string])[] {
  const captured = capturedFromNdjson(lines);
  const gateways = new Set(['gateway', 'gateway elsewhere']);
  const verification = new Verification(book, { gateways });
  for (const exchange of captured) verification.add(exchange);
  const places = new Map<string, number>(captured.map(({ id }, index) => [id, index]));
  return verification
    .finish()
    .findings // What is noted once of an agent or a pair of peers is noted at the first occasion.
    .filter(({ outcome }) => outcome !== 'info')
    .map((finding: Finding) => [places.get(finding.exchange) ?? -1, keyOf(finding)] as const)
    .sort(byPlace);
}
const byPlace = (a: readonly [number, string], b: readonly [number, string]): number =>
  a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);

/** Times would say which order is right, and signatures are over the names of the hosts. */
const movable = captures.filter(({ lines }) => !/"(?:at|signatures|protected)":/.test(JSON.stringify(lines)));

interface Sample {
  readonly id: string;
  readonly lines: readonly NdjsonLine[];
}

const alone = new Map<Sample, ReturnType<typeof findingsOf>>();
function findingsAlone(sample: Sample): ReturnType<typeof findingsOf> {
  const known = alone.get(sample) ?? findingsOf(sample.lines);
  alone.set(sample, known);
  return known;
}

/** Two captures in one, in any order that keeps the order of each, give what each gives by itself. */
function expectIndependence(
  samples: readonly Sample[],
  change: (lines: readonly NdjsonLine[]) => readonly NdjsonLine[],
  runs: { readonly numRuns: number; readonly seed: number },
): void {
  const one = fc.constantFrom(...samples);
  const order = fc.array(fc.boolean(), { minLength: 24, maxLength: 24 });
  fc.assert(
    fc.property(one, one, order, (left, right, takes) => {
      const rest = { left: [...left.lines], right: [...change(right.lines)] };
      const merged: NdjsonLine[] = [];
      const from: [side: 'left' | 'right', index: number][] = [];
      const taken = { left: 0, right: 0 };
      while (rest.left.length + rest.right.length > 0) {
        const wanted = takes[merged.length % takes.length] === true ? 'left' : 'right';
        const side = rest[wanted].length > 0 ? wanted : wanted === 'left' ? 'right' : 'left';
        const next = rest[side].shift();
        if (next === undefined) break;
        from.push([side, taken[side]]);
        taken[side] += 1;
        merged.push(next);
      }
      const together = findingsOf(merged);
      const of = (side: 'left' | 'right') =>
        together
          .filter(([index]) => from[index]?.[0] === side)
          .map(([index, finding]) => [from[index]?.[1] ?? -1, finding] as const)
          .sort(byPlace);
      expect({ of: left.id, found: of('left') }).toEqual({ of: left.id, found: findingsAlone(left) });
      expect({ of: right.id, found: of('right') }).toEqual({ of: right.id, found: findingsAlone(right) });
    }),
    runs,
  );
}

/** Calls about one task each, over one binding of 1.0, without anything that is about the agent as a whole. */
const oneTask = examples.filter(({ id, lines }) => {
  const text = JSON.stringify(lines);
  const scope = book.rules.find((rule) => id.startsWith(`${rule.id} `))?.scope;
  return (
    (scope === 'exchange' || scope === 'stream' || scope === 'task') &&
    /"A2A-Version":"1.0"/.test(text) &&
    !/\.well-known|"(?:at|authorization|purpose|grpc|raw|raw_base64|body_raw|body_base64)":|ListTasks|\/tasks\?/i.test(
      text,
    ) &&
    lines.every(({ from, to }) => from === 'client' && to === 'agent')
  );
});

/** The same calls about another task. */
const renamed = (lines: readonly NdjsonLine[]): readonly NdjsonLine[] =>
  JSON.parse(
    JSON.stringify(lines)
      .replaceAll(
        /"((?:task|ctx|context|m|config|token|cred|credentials?|message|agent-message)-[\w-]+)"/g,
        '"$1.other"',
      )
      .replaceAll(/\/(task-\d+|config-\d+)\b/g, '/$1.other'),
  );

describe('findings do not depend on', () => {
  it('what hosts, peers, tasks and contexts are called', () => {
    const changed = (samples: readonly Sample[], change: typeof renamed): readonly string[] =>
      samples.flatMap((sample, index) => {
        // One in four keeps the run short; which ones is fixed.
        if (index % 4 !== 0) return [];
        const found = findingsOf(change(sample.lines));
        return JSON.stringify(found) === JSON.stringify(findingsAlone(sample)) ? [] : [sample.id];
      });
    expect(changed(oneTask, renamed)).toEqual([]);
    expect(changed(movable, elsewhere)).toEqual([]);
  }, 20_000);

  it('traffic of others in between', () => {
    expectIndependence(movable, elsewhere, { numRuns: 250, seed: 4 });
  }, 20_000);

  it('other tasks of the same agent in between', () => {
    expectIndependence(oneTask, renamed, { numRuns: 250, seed: 5 });
  }, 20_000);

  for (const [name, change] of Object.entries(harmless))
    it(`${name}, in any case`, () => {
      for (const { id, lines } of cases) {
        // Protobuf has no unknown members by name: what they would be is another message.
        if (name === 'unknown members' && lines.some((line) => 'grpc' in line)) continue;
        const captured = capturedFromNdjson(lines);
        const judge = (exchanges: typeof captured): readonly Finding[] => {
          const verification = new Verification(book);
          for (const exchange of exchanges) verification.add(exchange);
          return verification.finish().findings.filter(({ outcome }) => outcome !== 'info');
        };
        const key = ({ rule, outcome, party, exchange }: Finding) =>
          `${rule} ${outcome} ${party} ${exchange}`;
        expect({ id, found: judge(captured.map(change)).map(key).sort() }).toEqual({
          id,
          found: judge(captured).map(key).sort(),
        });
      }
    }, 20_000);
});
