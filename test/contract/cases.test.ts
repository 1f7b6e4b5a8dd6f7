import { readFileSync } from 'node:fs';
import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { Finding, FindingOutcome } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { describe, expect, it } from 'vitest';
import { failedRules, judgeTraffic } from './captured-traffic.ts';
import { type Case, readCases } from './cases.ts';

const book = await loadRulebook();

/** Cases that the verifier does not agree with, and why it should not. */
const disagreements: Readonly<Record<string, string>> = {
  'card-fetch-needs-auth-client-sends-none':
    'The exchange is one refused fetch; that the client holds credentials stands in the note only. A fetch without them is how a client learns what to send (1.0: 7.2).',
  'card-nonstandard-path-gateway-rediscovers':
    'What the gateway does on the wire is to ask for two cards, which anybody may; the refusal comes from `agent`, with a code that 9.5 has for it.',
  'extended-card-wrong-error':
    'The card is not in the exchange. Of an agent that declares an extended card and has none, -32007 is the right answer (3.1.11).',
  'jsonrpc-legacy-method-names-only':
    'The agent speaks 0.1 and claims nothing else: -32601 is the answer of 0.1 (8.1) to a method that came with 0.2.',
  'subscribe-input-required-not-found':
    'That the task exists stands in the note only. Errors before the first event may come in the stream: 3.1.2 does not say (GAP-02).',
  'timestamp-missing':
    'The timestamp of a status is optional (4.1.2 and the proto); nothing asks for it in words.',
  'timestamp-no-zone':
    '0.3 asks for an ISO 8601 text (6.2), and has examples without a zone; UTC with `Z` came with 1.0 (5.6.1). So it is a warning.',
};

const rank: Readonly<Record<FindingOutcome, number>> = { info: 0, warn: 1, fail: 2 };

/** The cases speak of servers where they deliver, too. */
const namesOf = ({ party }: Finding): readonly string[] =>
  party === 'webhook-sender' ? ['webhook-sender', 'server'] : [party];

function decisive({ expected }: Case, findings: readonly Finding[]): readonly Finding[] {
  const { outcome, parties } = expected;
  if (outcome === 'pass') return [];
  return findings.filter(
    (finding) =>
      rank[finding.outcome] >= rank[outcome] &&
      (parties.length === 0 || namesOf(finding).some((name) => parties.includes(name))),
  );
}

/** By case, the rules that may give the finding: those whose subject the case has. */
const subjects: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('../fixtures/cases-rules.json', import.meta.url), 'utf8'),
);

for (const file of ['cases.jsonl', 'more-cases.jsonl', 'field-cases.jsonl'])
  describe(file, () => {
    for (const each of readCases(file)) {
      if (each.detectable !== 'passive') continue;
      const { id, expected, exchange } = each;
      const judge = () => judgeTraffic(book, capturedFromNdjson(exchange));
      if (id in disagreements) {
        it(`${id} is seen otherwise, and still is`, () => {
          const judged = judge();
          expect(failedRules(judged)).toEqual([]);
          expect(decisive(each, judged.findings)).toEqual([]);
        });
      } else if (expected.outcome === 'pass') {
        it(`${id} is legal`, () => {
          const judged = judge();
          expect(failedRules(judged)).toEqual([]);
          expect(judged.findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
        });
      } else {
        it(`${id} is found, and blamed on ${expected.parties.join(' or ') || 'somebody'}`, () => {
          const judged = judge();
          expect(failedRules(judged)).toEqual([]);
          const found = decisive(each, judged.findings).map(({ rule }) => rule);
          expect(found).not.toEqual([]);
          const wanted = each.rules ?? subjects[id] ?? [];
          expect(
            wanted.some((rule) => found.includes(rule)),
            `${found} has one of ${wanted}`,
          ).toBe(true);
        });
      }
    }
  });

it('knows the subject of every case that is to be found', () => {
  const cases = readCases('cases.jsonl').filter(
    ({ id, detectable, expected }) =>
      detectable === 'passive' && expected.outcome !== 'pass' && !(id in disagreements),
  );
  expect(Object.keys(subjects).sort()).toEqual(cases.map(({ id }) => id).sort());
});
