import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cleanRun, emptyRun, hostileStrings, runMadeOf, sampleRun } from '../fixtures/sample-run.ts';
import { renderPage } from './page.ts';

const page = renderPage(sampleRun());

/** The page without the content of its style sheet and scripts. */
const markupOf = (text: string): string =>
  text.replace(/<(style|script)([^>]*)>[\s\S]*?<\/\1>/g, '<$1$2></$1>');

/** Each tag with the names of its attributes; list items aside, as a sentence may have more clauses. */
const shapeOf = (text: string): readonly string[] =>
  [...markupOf(text).matchAll(/<(\/?[a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*(\/?)>/gi)]
    .map(
      ([, name, attributes]) =>
        `${name} ${[...(attributes ?? '').matchAll(/([a-z-]+)(?:="[^"]*")?/gi)].map(([, key]) => key).join(' ')}`,
    )
    .filter((tag) => !/^\/?(?:li|ul|bdi) /.test(tag));

const dataOf = (text: string): unknown =>
  JSON.parse(/<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(text)?.[1] ?? '');

const visible = (text: string): string =>
  markupOf(text)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('renderPage', () => {
  it('allows nothing but its own style sheet and script', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    const hash = (text: string | undefined): string =>
      `'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`;
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1];
    const script = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1];
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hash(style)}`,
      `script-src ${hash(script)}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('refers to nothing outside itself', () => {
    expect(markupOf(page)).not.toMatch(/\s(?:src|srcset|action|formaction|ping|poster|style|on\w+)=/);
    expect(
      [...markupOf(page).matchAll(/href="([^"]*)"/g)].every(([, target]) => target?.startsWith('#')),
    ).toBe(true);
    expect(page).not.toMatch(
      /@import|url\(|\bfetch\(|XMLHttpRequest|innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b/,
    );
  });

  it('keeps the order of a report', () => {
    const titles = [...page.matchAll(/<h[12][^>]*>([\s\S]*?)<\/h[12]>/g)].map(([, title]) =>
      visible(title ?? '').trim(),
    );
    expect(titles).toEqual([
      'Fail 2 of 81 cells failed and 1 timed out',
      'Matrix 84 cells',
      'Causes 5 causes',
      'Scenarios 14 scenarios',
      'Agents 3',
      'Rules 66 of 96 exercised',
      'Expected 2 entries',
      'Bypass 1 observation',
      'Remarks on the run 1 note',
      'How to reproduce',
    ]);
  });

  it('tells findings and notes apart in its figures, and counts those that are not listed', () => {
    const run = cleanRun();
    const summary = { ...run.verdict.summary, fail: 2, warn: 3, info: 1234 };
    const text = visible(renderPage({ ...run, verdict: { ...run.verdict, summary, findings: [] } }));
    expect(text).toMatch(/ findings 5 notes, not scored 1,234 /);
  });

  it('shows verdict, matrix and causes without JavaScript', () => {
    const text = visible(page);
    expect(text).toContain('2 rules broken by beta (server): ERR-012 and SSE-010');
    expect(text).toContain('J JSON-RPC 1.0 13/14 ✕ F stream · M SSE-010');
    expect(text).toContain('Publish the last artifact before the terminal status');
    expect(text).toContain('response, event 3, /result/artifactUpdate/artifact');
  });

  it('links each scenario of each pairing to its cell, and each cause to its first exchange', () => {
    const cells = (dataOf(page) as { cells: readonly { id: string }[] }).cells;
    for (const cell of cells) expect(page).toContain(`href="#cell=${encodeURIComponent(cell.id)}"`);
    expect(page).toContain('href="#exchange=x00301"');
  });

  it('is green only where something passed', () => {
    expect(renderPage(cleanRun())).toContain('class="verdict-line tone-pass"');
    expect(renderPage(emptyRun())).toContain('class="verdict-line tone-empty"');
    expect(markupOf(renderPage(emptyRun()))).not.toMatch(/class="[^"]*\b(?:pass|is-pass|s-ok)\b/);
    expect(markupOf(page)).toMatch(
      /<tr data-status="not-exercised">.*?class="status not-exercised">not exercised</,
    );
  });

  it('stays small where bodies are large', () => {
    const run = sampleRun();
    const exchanges = run.exchanges.map((exchange) => ({
      ...exchange,
      request: { ...exchange.request, body: 'z'.repeat(60_000) },
    }));
    expect(renderPage({ ...run, exchanges }).length).toBeLessThan(3_500_000);
  });

  it.each(hostileStrings.filter((text) => text !== '').map((text) => [text.slice(0, 30), text]))(
    'keeps its structure for %j',
    (_, text) => {
      expect(shapeOf(renderPage(runMadeOf(() => text)))).toEqual(
        shapeOf(renderPage(runMadeOf(() => 'tame'))),
      );
    },
  );

  it('carries hostile strings as data and as text only', () => {
    let turn = 0;
    const hostile = renderPage(runMadeOf(() => hostileStrings[turn++ % hostileStrings.length] ?? ''));
    expect(() => dataOf(hostile)).not.toThrow();
    expect(/<img|\son\w+="/.test(markupOf(hostile))).toBe(false);
    expect(hostile.match(/<script/g)).toHaveLength(2);
    expect(hostile.match(/<\/script>/g)).toHaveLength(2);
    expect(hostile.includes('<!--')).toBe(false);
  });
});
