import type { Finding, Verdict } from '@plugfest/model';
import { count, list, ruleStatuses, ruleStatusNames } from '../labels.ts';
import { shorten } from '../printable.ts';
import { classPart, findingText, type Suite, type TestCase, token } from './suite.ts';

/** A case for every rule that was exercised, threw, or has findings; its name never depends on the outcome. */
export function ruleSuite(verdict: Verdict): Suite {
  const findings = Map.groupBy(verdict.findings, (finding) => finding.rule);
  const out: string[] = [];
  const cases = verdict.rules
    .filter(
      (rule) =>
        rule.exercised > 0 ||
        rule.status === 'error' ||
        rule.status === 'undecidable' ||
        findings.has(rule.id),
    )
    .map((rule) => {
      const own = findings.get(rule.id) ?? [];
      const rest = own.filter((finding) => !isBreach(finding));
      for (const finding of rest.slice(0, shown)) {
        const prefix =
          finding.expectedBecause === undefined
            ? finding.outcome
            : `expected because: ${finding.expectedBecause}`;
        out.push(`${prefix}\n${findingText(finding)}\n`);
      }
      if (rest.length > shown) out.push(`${rule.id}: ${rest.length - shown} more\n`);
      return ruleCase(rule, own);
    });
  return {
    name: 'rules',
    properties: [
      ['capture.root', verdict.capture.root],
      ['rulebook.hash', verdict.rulebook.hash],
      ...ruleStatuses.map(
        (status) =>
          [
            `rules ${ruleStatusNames[status]}`,
            String(verdict.rules.filter((rule) => rule.status === status).length),
          ] as const,
      ),
      ...verdict.findings
        .filter((finding) => finding.expectedBecause !== undefined)
        .map(
          (finding) =>
            [
              `expected-finding:${token(`${finding.rule} ${finding.agent}`)}`,
              finding.expectedBecause ?? '',
            ] as const,
        ),
    ],
    cases,
    out,
  };
}

/** Findings of a rule that are written out. */
const shown = 20;

const isBreach = ({ outcome, expectedBecause }: Finding): boolean =>
  outcome === 'fail' && expectedBecause === undefined;

function ruleCase(rule: Verdict['rules'][number], own: readonly Finding[]): TestCase {
  const className = `rules.${classPart(rule.id.replace(/-\d+$/, ''))}`;
  const result = resultOf(rule, own);
  return { name: token(rule.id), className, ms: 0, ...(result === undefined ? {} : { result }) };
}

function resultOf(rule: Verdict['rules'][number], own: readonly Finding[]): TestCase['result'] {
  const [first, ...more] = own.filter(isBreach);
  if (first !== undefined) {
    const broken = [first, ...more];
    const who = [...new Set(broken.map(({ agent, party }) => `${agent} (${party})`))].sort();
    const message = `${rule.id} broken ${count(broken.length, 'time')} by ${list(who)}: ${first.message}`;
    const rest = broken.length - shown;
    const text = [
      ...broken.slice(0, shown).map(findingText),
      ...(rest > 0 ? [`${rest} more in verdict.json`] : []),
    ].join('\n\n');
    return { kind: 'failure', type: first.level, message: shorten(message, 1000), text };
  }
  if (rule.status === 'error')
    return { kind: 'error', type: 'harness', message: shorten(rule.error ?? 'The rule threw.', 1000) };
  const foreseen = own.find(({ outcome }) => outcome === 'fail');
  if (foreseen !== undefined) {
    const why = shorten(foreseen.expectedBecause ?? '', 1000);
    const message = `broken as expected: ${shorten(foreseen.message, 1000)} (expected because: ${why})`;
    return { kind: 'skipped', type: 'expected', message };
  }
  if (rule.status !== 'undecidable') return undefined;
  const places = count(rule.undecidable, 'place');
  return { kind: 'skipped', type: 'undecidable', message: `undecidable: evidence was cut off in ${places}` };
}
