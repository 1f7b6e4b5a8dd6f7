import { describe, expect, it } from 'vitest';
import { cleanRun, emptyRun, hostileStrings, runMadeOf, sampleRun } from '../fixtures/sample-run.ts';
import markdown from './markdown.ts';

const page = markdown.render(sampleRun());
const headings = (text: string): readonly string[] => text.split('\n').filter((line) => /^#+ /.test(line));

describe('markdown', () => {
  it('starts with the verdict and keeps the order of a report', () => {
    expect(page.split('\n')[2]).toMatch(
      /^\*\*Fail\.\*\* 2 of 81 cells failed and 1 timed out; 2 rules broken/,
    );
    expect(headings(page)).toEqual([
      '# Three agents, both directions',
      '## Matrix',
      '## Failures that no broken rule explains',
      '## Broken rules',
      '### SSE-010 · beta (server)',
      '### ERR-012 · beta (server)',
      '## Warnings',
      '### VER-003 · gamma (client)',
      '## Notes',
      '### SSE-012 · alpha (server)',
      '## Expected findings',
      '### HOOK-004 · alpha (webhook-sender)',
      '## Cells that failed as expected',
      '## Agents',
      '## Traffic that bypassed the proxy',
      '## Remarks on the run',
      '## Rules',
      '## How to reproduce',
    ]);
  });

  it('shows the matrix as a table', () => {
    expect(page).toContain(
      [
        '| client | wire | `alpha` | `beta` | `gamma` |',
        '| :-- | :-- | :-- | :-- | :-- |',
        '| `alpha` | JSON-RPC 1.0 |  | 13/14 `F:stream` `M:SSE-010` | 12/13 `T:delegate` `U:list-tasks` |',
      ].join('\n'),
    );
  });

  it('counts rules by status, with how often they were exercised', () => {
    expect(page).toContain('66 of 96 rules exercised. Only an exercised rule can pass.');
    expect(page).toMatch(/\| broken \| 3 \| 37 \| HOOK-004, SSE-010, ERR-012|\| broken \| 3 \| 37 \| /);
    expect(page).toContain('| not exercised | 29 | 0 |  |');
  });

  it('says that nothing was run', () => {
    expect(markdown.render(emptyRun())).toContain('**No verdict.** Nothing was run.');
  });

  it('lists no causes where there are none', () => {
    expect(headings(markdown.render(cleanRun()))).toEqual([
      '# Three agents, both directions',
      '## Matrix',
      '## Agents',
      '## Rules',
      '## How to reproduce',
    ]);
  });

  it('lists the gaps of the capture', () => {
    const gaps = [{ atNs: 1_204_000_000, reason: 'disk', detail: 'ENOSPC' }] as const;
    const { verdict, rules } = cleanRun();
    for (const one of [
      markdown.render({ ...cleanRun(), gaps }),
      markdown.renderVerdict?.({ verdict, rules, gaps }),
    ])
      expect(one).toContain(
        '- at 1.204 s: the file could not be written, how much was lost is not known, ENOSPC',
      );
  });

  it('renders a verdict alone', () => {
    const { verdict, rules } = sampleRun();
    expect(headings(markdown.renderVerdict?.({ verdict, rules }) ?? '')[0]).toBe('# Verdict');
  });

  it.each(hostileStrings.filter((value) => value !== '').map((value) => [value.slice(0, 30), value]))(
    'keeps its lines and tables for %j',
    (_, value) => {
      const hostile = markdown.render(runMadeOf(() => value));
      const tame = markdown.render(runMadeOf(() => 'tame'));
      const shape = (text: string): readonly string[] =>
        text.split('\n').map((line) => {
          if (line.startsWith('|')) return `table of ${line.replace(/\\./g, '').split('|').length}`;
          return /^(#+ |- |$)/.exec(line)?.[0] ?? 'text';
        });
      expect(shape(hostile)).toEqual(shape(tame));
      // Outside code spans nothing is left that is HTML.
      expect(hostile.replace(/(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '')).not.toMatch(/<[a-z!/]/i);
    },
  );
});
