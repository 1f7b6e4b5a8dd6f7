import { describe, expect, it } from 'vitest';
import { cleanRun, sampleRun } from './fixtures/sample-run.ts';
import { matrixOf, ratio, remarkMeanings, remarks, wireOf } from './matrix.ts';

describe('matrixOf', () => {
  const { pairings, clients, servers } = matrixOf(sampleRun());

  it('keeps agents in the order of the report', () => {
    expect(clients).toEqual(['alpha', 'beta', 'gamma']);
    expect(servers).toEqual(['alpha', 'beta', 'gamma']);
  });

  it('says for each pairing what worked of what applies, and why not all', () => {
    expect(
      pairings.map((one) => [
        `${one.client} → ${one.server}`,
        wireOf(one),
        one.state,
        ratio(one),
        ...remarks(one, 2),
      ]),
    ).toEqual([
      ['alpha → beta', 'JSON-RPC 1.0', 'fail', '13/14', 'F:stream', 'M:SSE-010'],
      ['alpha → beta', 'REST 1.0', 'fail', '13/14', 'F:stream', 'M:ERR-012,SSE-010'],
      ['alpha → gamma', 'JSON-RPC 1.0', 'fail', '12/13', 'T:delegate', 'U:list-tasks'],
      ['beta → alpha', 'JSON-RPC 1.0', 'expected', '13/14', 'X:push-auth'],
      ['beta → alpha', 'gRPC 1.0', 'pass', '12/12', 'U:push,push-auth'],
      ['gamma → alpha', 'JSON-RPC 0.3', 'partial', '12/14', 'N:subscribe,push'],
    ]);
  });

  it('shows a pairing that worked but broke a MUST as no pass', () => {
    const clean = cleanRun();
    const breaching = { ...clean, verdict: sampleRun().verdict };
    const [first] = matrixOf(breaching).pairings;
    expect(first?.state).toBe('breach');
    expect(first && remarks(first, 0)).toEqual(['M1']);
  });

  it('shows a pairing that broke a MUST only as expected as no pass, by a letter of its own', () => {
    const clean = cleanRun();
    const findings = sampleRun().verdict.findings.map((finding) => ({
      ...finding,
      expectedBecause: 'known',
    }));
    const breaching = { ...clean, verdict: { ...clean.verdict, findings } };
    const [first] = matrixOf(breaching).pairings;
    expect(first?.state).toBe('expected');
    expect(first && [ratio(first), ...remarks(first, 0)]).toEqual(['14/14', 'm1']);
    expect(remarkMeanings.map(([letter]) => letter)).toContain('m');
  });

  it('says where another made the calls in the place of the client', () => {
    const clean = cleanRun();
    const [first] = matrixOf({
      ...clean,
      cells: clean.cells.map((cell, index) => (index === 0 ? { ...cell, standIn: 'plugfest' } : cell)),
    }).pairings;
    expect(first && remarks(first, 0)).toEqual(['S1']);
    expect(remarkMeanings.map(([letter]) => letter)).toContain('S');
  });

  it('names what worked against a recommendation, without taking it for a failure', () => {
    const report = cleanRun();
    const cells = report.cells.map((cell, index) =>
      index === 0
        ? {
            ...cell,
            checks: [{ name: 'it is small', ok: false, level: 'SHOULD' as const, detail: 'it is not' }],
          }
        : cell,
    );
    const [first] = matrixOf({ ...report, cells }).pairings;
    expect(first?.state).toBe('pass');
    expect(first && remarks(first, 0)).toEqual(['W1']);
    expect(remarkMeanings.map(([letter]) => letter)).toContain('W');
  });

  it('never counts an unsupported pairing as worked', () => {
    const clean = cleanRun();
    const [pairing] = matrixOf({
      ...clean,
      cells: clean.cells.map((cell) => ({ ...cell, outcome: 'unsupported' })),
    }).pairings;
    expect(pairing?.state).toBe('unsupported');
    expect(pairing && ratio(pairing)).toBe('unsupported');
  });

  it('says how many names it leaves out', () => {
    const [pairing] = pairings.filter((one) => one.counts.unsupported === 2);
    expect(pairing && remarks(pairing, 1)).toEqual(['U:push,+1']);
  });
});
