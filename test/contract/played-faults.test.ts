import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { CapturedExchange, Change, Finding, Side } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { book, judge } from './judging.ts';

const examples = book.rules.flatMap(({ id, examples: { bad } }) =>
  bad.map(({ example }, index) => ({ id: `${id} bad ${index}`, captured: capturedFromNdjson(example) })),
);

const played = (exchange: CapturedExchange, side: Side): CapturedExchange => ({
  ...exchange,
  changes: [...exchange.changes, { side, place: 'body', reason: 'fault-override' } satisfies Change],
});

const pair = ({ edge }: CapturedExchange): string => [edge.caller, edge.callee].sort().join(' ');

/** Findings that are left where a fault acted on the first exchange between each two peers. */
function left(captured: readonly CapturedExchange[], side: Side) {
  const pairs = new Set<string>();
  const first = new Map<string, CapturedExchange>();
  const faulty = captured.map((exchange) => {
    if (pairs.has(pair(exchange))) return exchange;
    pairs.add(pair(exchange));
    first.set(exchange.id, exchange);
    return played(exchange, side);
  });
  return { ...judge(faulty), first };
}

const where = ({ rule, party, agent, exchange, at }: Finding): string =>
  `${rule} ${party} ${agent} ${exchange} ${at?.side ?? ''}`;

describe('a fault that a lab played', () => {
  it('on a response leaves nothing against the caller but what it had sent before', () => {
    const wrong: string[] = [];
    let excused = 0;
    for (const { id, captured } of examples) {
      const callers = new Set(captured.map(({ edge }) => edge.caller));
      const callees = new Set(captured.map(({ edge }) => edge.callee));
      const { findings, rules, first } = left(captured, 'response');
      excused += judge(captured).findings.length - findings.length;
      for (const rule of rules.values()) expect(rule.status, `${id}: ${rule.id}`).not.toBe('error');
      for (const finding of findings) {
        if (!callers.has(finding.agent) || callees.has(finding.agent)) continue;
        if (first.has(finding.exchange) && finding.at?.side === 'request') continue;
        wrong.push(`${id}: ${where(finding)}`);
      }
    }
    expect(wrong).toEqual([]);
    // Otherwise this would show nothing.
    expect(excused).toBeGreaterThan(100);
  }, 120_000);

  it('on a request leaves nothing against the callee, either', () => {
    const wrong: string[] = [];
    for (const { id, captured } of examples) {
      const { findings, first } = left(captured, 'request');
      for (const finding of findings) {
        // Behind a gateway, that may be the caller of the hop before.
        if (first.has(finding.exchange) && finding.at?.side === 'request') continue;
        wrong.push(`${id}: ${where(finding)}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('invents no finding', () => {
    const invented: string[] = [];
    for (const { id, captured } of examples) {
      const known = new Set(judge(captured).findings.map(where));
      for (const side of ['request', 'response'] as const)
        for (const finding of left(captured, side).findings)
          if (!known.has(where(finding))) invented.push(`${id}, ${side}: ${where(finding)}`);
    }
    expect(invented).toEqual([]);
  }, 120_000);
});
