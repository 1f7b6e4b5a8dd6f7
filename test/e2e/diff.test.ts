import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { plugfest } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const fixtures = join(import.meta.dirname, '..', 'fixtures');
const folder = temporaryFolder();
const clean = join(folder, 'clean.sqlite');
const late = join(folder, 'late.sqlite');
const verdict = join(folder, 'late.json');

/** The verdict as a rulebook of another day might have given it. */
function byAnotherRulebook(name: string, change: (text: string) => string): string {
  const file = join(folder, name);
  const text = readFileSync(verdict, 'utf8').replace(/"hash": "sha256:[^"]*"/, '"hash": "sha256:another"');
  writeFileSync(file, change(text));
  return file;
}

beforeAll(async () => {
  for (const [fixture, file] of [
    ['clean-stream', clean],
    ['event-after-terminal', late],
  ] as const)
    expect(await plugfest(['import', join(fixtures, `${fixture}.ndjson`), '-o', file])).toMatchObject({
      code: 0,
    });
  writeFileSync(verdict, (await plugfest(['verify', late, '--format', 'json'])).stdout);
});

describe.concurrent('diff', () => {
  it('ends with 0 where nothing differs', async () => {
    const { code, stdout } = await plugfest(['diff', late, verdict]);
    expect(stdout).toContain('Nothing differs.');
    expect(code).toBe(0);
  });

  it('finds implementation drift, and the exchange where it begins', async () => {
    const { code, stdout } = await plugfest(['diff', clean, late, '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'plugfest.diff/1',
      traffic: 'different',
      ruleDrift: [],
      implementationDrift: { appeared: [{ rule: 'SSE-010', agent: 'hotel' }], gone: [] },
      firstDivergence: { before: { exchange: 'x2' }, after: { exchange: 'x2' } },
    });
    expect(code).toBe(1);
  });

  it('finds rule drift where the traffic is the same', async () => {
    const earlier = byAnotherRulebook('weaker.json', (text) => text.replaceAll('SSE-010', 'SSE-910'));
    const { code, stdout } = await plugfest(['diff', earlier, late]);
    expect(stdout).toMatch(/Both are the same traffic\.\n\nRule drift/);
    expect(stdout).toMatch(/\+ SSE-010 fail .*\n {2}- SSE-910 fail /);
    expect(code).toBe(1);
  });

  it('tells both apart where a run has its capture and the verdict of its day', async () => {
    const run = join(folder, 'run');
    mkdirSync(run);
    copyFileSync(late, join(run, 'capture.sqlite'));
    copyFileSync(
      byAnotherRulebook('older.json', (text) => text.replaceAll('SSE-010', 'SSE-910')),
      join(run, 'verdict.json'),
    );
    const { stdout } = await plugfest(['diff', run, clean, '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ruleDrift: [{ of: run, differences: { appeared: [{ rule: 'SSE-010' }], gone: [{ rule: 'SSE-910' }] } }],
      implementationDrift: { appeared: [], gone: [{ rule: 'SSE-010' }] },
    });
  });

  it('says so where two old verdicts cannot tell them apart', async () => {
    const other = byAnotherRulebook('elsewhere.json', (text) =>
      text.replace(/"root": "[^"]*"/, '"root": "sha256:elsewhere"'),
    );
    const { stdout } = await plugfest(['diff', verdict, other]);
    expect(stdout).toContain('give the captures to tell the two apart');
  });

  it('refuses what is neither capture nor verdict', async () => {
    const file = join(folder, 'other.json');
    writeFileSync(file, '{"schema":"other"}');
    const { code, stderr, stdout } = await plugfest(['diff', file, late]);
    expect(stderr).toContain('PLUGFEST_VERDICT_FORMAT');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
