import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { Finding } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { Verification } from '@plugfest/verifier';
import { dialects, type ExampleExchange, type Target } from '@plugfest/verifier/examples';
import { episodes } from './episodes/index.ts';
import { type CleanSession, cleanSession } from './session.ts';

export const book = await loadRulebook();

export interface Judged {
  /** Failures and warnings. */
  readonly findings: readonly Finding[];
  /** How often each rule was exercised. */
  readonly exercised: ReadonlyMap<string, number>;
  readonly errors: readonly string[];
}

export function judge(exchanges: ReadonlyMap<string, ExampleExchange>): Judged {
  const verification = new Verification(book);
  for (const captured of capturedFromNdjson([...exchanges.values()])) verification.add(captured);
  const { findings, rules } = verification.finish();
  return {
    findings: findings.filter(({ outcome }) => outcome !== 'info'),
    exercised: new Map(rules.map(({ id, exercised }) => [id, exercised])),
    errors: rules.filter(({ status }) => status === 'error').map(({ id, error }) => `${id}: ${error}`),
  };
}

export interface Dialect {
  readonly target: Target;
  readonly session: CleanSession;
  readonly judged: Judged;
}

export const nameOf = ({ version, binding }: Target): string => `${version} ${binding}`;

/** The clean sessions, and what the rulebook says of them. */
export const clean: readonly Dialect[] = dialects.map((target) => {
  const session = cleanSession(episodes, target);
  return { target, session, judged: judge(session.translated) };
});
