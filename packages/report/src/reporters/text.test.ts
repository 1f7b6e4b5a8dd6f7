import { exchangeId } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../comparison.ts';
import { cleanRun, emptyRun, hostileStrings, runMadeOf, sampleRun } from '../fixtures/sample-run.ts';
import type { Paint } from '../reporter.ts';
import text from './text.ts';

const marked: Paint = {
  green: (value) => `<green>${value}</green>`,
  red: (value) => `<red>${value}</red>`,
  yellow: (value) => `<yellow>${value}</yellow>`,
  dim: (value) => `<dim>${value}</dim>`,
  bold: (value) => `<bold>${value}</bold>`,
};

describe('text', () => {
  it('starts with the verdict and the matrix', () => {
    expect(text.render(sampleRun()).split('\n').slice(0, 11)).toEqual([
      'Fail  2 of 81 cells failed and 1 timed out; 2 rules broken by beta (server): ERR-012 and SSE-010; 1 cell failed as expected, 2 not run, 3 unsupported; 1 expected finding; traffic bypassed the proxy at gamma; 9 warnings; 1 rule undecidable.',
      '',
      '  client  wire          alpha                 beta                         gamma',
      '  alpha   JSON-RPC 1.0  ·                     13/14 F:stream M:SSE-010     12/13 T:delegate U:list-tasks',
      '          REST 1.0      ·                     13/14 F:stream M:ERR-012,+1  ·',
      '  beta    JSON-RPC 1.0  13/14 X:push-auth     ·                            ·',
      '          gRPC 1.0      12/12 U:push,+1       ·                            ·',
      '  gamma   JSON-RPC 0.3  12/14 N:subscribe,+1  ·                            ·',
      '',
      '  F failed · T timed out · M broke a MUST · X failed as expected · N not run · U unsupported, not counted',
      '',
    ]);
  });

  it('lists the causes with party, count, fix and first exchange', () => {
    const page = text.render(sampleRun());
    expect(page).toContain(
      [
        '  SSE-010  MUST  beta (server)  2 times in 2 cells',
        '    An artifact update follows the terminal status TASK_STATE_COMPLETED.',
        '    expected the stream ends after event 2',
        '    actual   event 3 is an artifactUpdate of artifact "answer"',
        '    fix      Publish the last artifact before the terminal status, and close the queue after that status.',
        '    spec     A2A 1.0 section 3.1.2',
        '    first    x00301, response, event 3, /result/artifactUpdate/artifact',
      ].join('\n'),
    );
    expect(page).toContain('known    a2a-go issue 412');
  });

  it('is green only for a pass', () => {
    expect(text.render(cleanRun(), { paint: marked })).toContain('<green><bold>Pass</bold></green>');
    expect(text.render(emptyRun(), { paint: marked })).not.toContain('<green>');
    const sample = text.render(sampleRun(), { paint: marked });
    expect(sample).toContain('<red><bold>Fail</bold></red>');
    expect([...sample.matchAll(/<green>(.*?)<\/green>/g)].map(([, value]) => value?.trim())).toEqual([
      '12/12 U:push,+1',
    ]);
  });

  it('has a letter for each binding and version where the matrix is wider than a terminal', () => {
    const sample = sampleRun();
    const names = Array.from({ length: 8 }, (_, index) => `agent-number-${index}`);
    const cells = names.flatMap((client) =>
      names.map((server) => ({ ...sample.cells[2], client, server }) as (typeof sample.cells)[number]),
    );
    const lines = text.render({ ...sample, cells, verdict: { ...sample.verdict, findings: [] } }).split('\n');
    expect(lines.slice(2, 5)).toEqual([
      '  client          agent-number-0  agent-number-1  agent-number-2  agent-number-3  agent-number-4',
      `  agent-number-0${'  J✕'.padEnd(16).repeat(5)}`.trimEnd(),
      `  agent-number-1${'  J✕'.padEnd(16).repeat(5)}`.trimEnd(),
    ]);
    // The other servers follow below, then what is not clean by name.
    expect(lines[11]).toBe('');
    expect(lines[12]).toBe('  client          agent-number-5  agent-number-6  agent-number-7');
    expect(lines).toContain('  J JSON-RPC 1.0 · alone: all worked · ✕ failures');
    expect(lines).toContain('  agent-number-0 → agent-number-0  JSON-RPC 1.0  0/1  F:stream');
    expect(lines.filter((line) => line.includes('→'))).toHaveLength(64);
  });

  it('tells of a large run what is wrong, and how much more the report has', () => {
    const sample = sampleRun();
    const known = 'known for a long time';
    const more = sample.cells.map((cell, index) => ({
      ...cell,
      scenario: `more-${index}`,
      ...(cell.outcome === 'failed' ? { expectedBecause: known } : {}),
    }));
    const small = text.render(sample);
    const large = text.render({ ...sample, cells: [...sample.cells, ...more] });
    for (const title of ['Expected findings', 'Notes: seen, not scored', 'Cells that failed as expected'])
      expect([small.includes(`\n${title}\n`), large.includes(`\n${title}\n`)], title).toEqual([true, false]);
    expect(small).not.toContain('Also in the report');
    for (const title of ['Broken rules', 'Warnings', 'Traffic that bypassed the proxy', 'Remarks on the run'])
      expect(large).toContain(`\n${title}\n`);
    expect(large).not.toContain(known);
    const warnings = large.slice(large.indexOf('\nWarnings\n'), large.indexOf('\nTraffic that bypassed'));
    expect(warnings.trim().split('\n')).toHaveLength(2);
    expect(warnings).toMatch(/\n {2}VER-003 {2}.* 9 times: /);
    const lines = large.split('\n');
    const start = lines.indexOf('Also in the report');
    expect(lines.slice(start + 1, lines.indexOf('', start + 1))).toEqual([
      '  4 cells that failed as expected, each with the reason',
      '  1 broken rule that was expected, with the first exchange',
      '  1 rule with notes that are not scored',
      '  6 unsupported cells, and why',
      '  2 agents, and what each does with the traceparent that it is given',
    ]);
  });

  it('says what changed since an earlier run, the worse first', () => {
    const sample = sampleRun();
    const [one, two, three] = sample.cells;
    if (!one || !two || !three) throw new Error('the sample has cells');
    const earlier = {
      ...sample,
      run: { ...sample.run, startedAt: '2026-01-01T00:00:00.000Z' },
      cells: sample.cells
        .filter(({ id }) => id !== three.id)
        .map((cell) => (cell.outcome === 'failed' ? { ...cell, outcome: 'ok' as const } : cell))
        .map((cell) => (cell.id === two.id ? { ...cell, outcome: 'timeout' as const } : cell)),
      verdict: { ...sample.verdict, findings: [] },
    };
    const page = text.render({ ...sample, comparison: compareRuns(earlier, sample) });
    const lines = page.split('\n');
    const start = lines.indexOf('Since the run of 2026-01-01T00:00:00.000Z');
    expect(start).toBeGreaterThan(0);
    expect(lines[start + 1]).toMatch(/^ {2}\d+ cells are worse, 1 cell is better and 1 cell is new\.$/);
    expect(lines[start + 2]).toMatch(/^ {2}▼ .*was ok, now failed/);
    expect(page).toContain(`▲ ${two.id}  was timed out, now ok`);
  });

  it('says beside a rule that does not count why it does not', () => {
    const { verdict, rules } = sampleRun();
    const findings = verdict.findings.map((finding) =>
      finding.rule === 'SSE-010' ? { ...finding, outcome: 'warn' as const } : finding,
    );
    const page = text.renderVerdict?.({ verdict: { ...verdict, findings }, rules }) ?? '';
    expect(page).toContain('SSE-010  MUST, spec open  beta (server)');
    expect(page).not.toMatch(/SSE-010 {2}MUST {2}/);
  });

  it('lists the gaps of the capture: when, why and how much', () => {
    const gaps = [
      { atNs: 1_204_000_000, reason: 'queue-full', exchange: exchangeId('x12'), lostBytes: 65_536 },
      { atNs: 2e9, reason: 'unclean-shutdown' },
    ] as const;
    const { verdict, rules } = cleanRun();
    for (const page of [text.render({ ...cleanRun(), gaps }), text.renderVerdict?.({ verdict, rules, gaps })])
      expect(page).toContain(
        [
          'Gaps in the capture: what was not stored was not judged',
          '  at 1.204 s: the recorder could not keep up, 65,536 bytes lost, in x12',
          '  at 2.000 s: the recorder ended without closing, how much was lost is not known',
        ].join('\n'),
      );
    expect(text.render(cleanRun())).not.toContain('Gaps');
  });

  it('renders a verdict alone', () => {
    const { verdict, rules } = sampleRun();
    const page = text.renderVerdict?.({ verdict, rules }) ?? '';
    expect(page).toMatch(/^Fail {2}2 rules broken by beta \(server\): ERR-012 and SSE-010/);
    expect(page).toContain('3 broken · 1 warned · 1 undecidable · 1 noted · 61 passed · 29 not exercised');
  });

  it.each(hostileStrings.map((value) => [value.slice(0, 30), value]))(
    'bounds its lines for %j',
    (_, value) => {
      const page = text.render(runMadeOf(() => value));
      expect(
        Math.max(
          ...page
            .split('\n')
            .slice(1)
            .map((line) => line.length),
        ),
      ).toBeLessThan(900);
    },
  );
});
