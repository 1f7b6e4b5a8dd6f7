import type { Binding, CapturedExchange, Finding, ProtocolVersion, RuleResult } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { type Rule, Verification } from '@plugfest/verifier';

export const book = await loadRulebook();

export interface Judged {
  readonly findings: readonly Finding[];
  readonly rules: ReadonlyMap<string, RuleResult>;
  /** Dialects of the calls, as `version binding`. */
  readonly dialects: ReadonlySet<string>;
  /** Versions of anything that A2A knows. */
  readonly versions: ReadonlySet<ProtocolVersion>;
}

export const dialectKey = (version: ProtocolVersion, binding: Binding): string => `${version} ${binding}`;

export function judge(captured: readonly CapturedExchange[]): Judged {
  const dialects = new Set<string>();
  const versions = new Set<ProtocolVersion>();
  const verification = new Verification(book, {
    onExchange: ({ kind, dialect }) => {
      if (dialect === undefined) return;
      versions.add(dialect.version);
      if (kind === 'operation') dialects.add(dialectKey(dialect.version, dialect.binding));
    },
  });
  for (const exchange of captured) verification.add(exchange);
  const { findings, rules } = verification.finish();
  return { findings, rules: new Map(rules.map((rule) => [rule.id, rule])), dialects, versions };
}

const patterns = new Map<Rule, readonly (readonly [string, RegExp])[]>();

function patternsOf(rule: Rule): readonly (readonly [string, RegExp])[] {
  const known = patterns.get(rule);
  if (known !== undefined) return known;
  const made = Object.entries(rule.messages).map(([key, text]) => {
    const places = text.split(/\{\w+\}/).map(RegExp.escape);
    return [key, new RegExp(`^${places.join('.*')}$`, 's')] as const;
  });
  patterns.set(rule, made);
  return made;
}

/** Messages of one rule's findings, as keys of its message table. */
export function messagesOf(rule: Rule, judged: Judged): string[] {
  return judged.findings
    .filter((finding) => finding.rule === rule.id)
    .map(
      (finding) =>
        patternsOf(rule).find(([, pattern]) => pattern.test(finding.message))?.[0] ?? finding.message,
    );
}
