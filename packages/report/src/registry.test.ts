import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { emptyRun, hostileStrings, runMadeOf, sampleRun } from './fixtures/sample-run.ts';
import { checkReporters, loadReporters } from './registry.ts';
import type { Reporter } from './reporter.ts';

const reporters = await loadReporters();
const reporter = (changes: Partial<Reporter>): Reporter => ({
  format: 'one',
  about: 'A reporter.',
  render: () => '',
  ...changes,
});

describe('loadReporters', () => {
  it('finds one reporter in each file of the folder', () => {
    const files = readdirSync(new URL('./reporters/', import.meta.url)).filter(
      (name) => !name.includes('.test.'),
    );
    expect(reporters).toHaveLength(files.length);
    expect(reporters.map(({ format, file }) => [format, file])).toEqual([
      ['baseline', undefined],
      ['html', 'report.html'],
      ['json', 'verdict.json'],
      ['junit', 'junit.xml'],
      ['markdown', 'report.md'],
      ['report-json', 'report.json'],
      ['sarif', undefined],
      ['text', undefined],
    ]);
  });

  it('offers the formats of `plugfest verify` for verdicts', () => {
    const formats = reporters.filter((one) => one.renderVerdict).map((one) => one.format);
    expect(formats).toEqual(['baseline', 'json', 'junit', 'markdown', 'sarif', 'text']);
  });

  it.each(reporters.map((one) => [one.format, one] as const))(
    '%s renders the same bytes twice, with a line feed at the end',
    (_, one) => {
      const run = sampleRun();
      expect(one.render(run)).toBe(one.render(structuredClone(run)));
      expect(one.render(run).endsWith('\n')).toBe(true);
      const input = { verdict: run.verdict, rules: run.rules };
      if (one.renderVerdict) expect(one.renderVerdict(input).endsWith('\n')).toBe(true);
    },
  );

  it.each(reporters.map((one) => [one.format, one] as const))(
    '%s leaves no control character and no half of a pair',
    (_, one) => {
      let turn = 0;
      const run = runMadeOf(() => hostileStrings[turn++ % hostileStrings.length] ?? '');
      for (const text of [
        one.render(run),
        one.render(emptyRun()),
        one.renderVerdict?.({ verdict: run.verdict, rules: run.rules }) ?? '',
      ]) {
        expect(text.isWellFormed()).toBe(true);
        if (!one.format.includes('json'))
          expect(/[\p{Cc}\p{Bidi_Control}]/u.test(text.replaceAll(/[\n\t]/g, ''))).toBe(false);
      }
    },
  );
});

describe('checkReporters', () => {
  it.each([
    ['two of one format', [reporter({}), reporter({})], 'share the format one'],
    [
      'two of one file',
      [reporter({ file: 'a.txt' }), reporter({ format: 'two', file: 'a.txt' })],
      'share the file a.txt',
    ],
    ['a name that is no word', [reporter({ format: 'No Word' })], 'not kebab-case'],
    ['a path as a file', [reporter({ file: '../a.txt' })], 'not a plain file name'],
    ['no sentence', [reporter({ about: 'something' })], 'not a sentence'],
  ])('refuses %s', (_, list, message) => {
    expect(() => checkReporters(list)).toThrow(message);
  });
});
