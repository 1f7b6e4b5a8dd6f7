import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from '@plugfest/model';
import { beforeAll, describe, expect, it } from 'vitest';
import { labFile } from './lab-file.ts';
import { stackFrames } from './no-stack-trace.ts';
import { type Ended, plugfest, startPlugfest } from './plugfest.ts';
import { readReport, runFiles } from './run-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const out = join(folder, 'out');
/** In the environment of the run, and so of every process that it starts. */
const mark = `PLUGFEST_E2E_MARK=${randomUUID()}`;

const lab = labFile(
  folder,
  `
name: interrupted
concurrency: 2
agents:
  amber: { kind: js, protocol: "1.0" }
  birch: { kind: js, protocol: "1.0" }
`,
);

/** Processes with the mark in their environment, where the system lists them. */
function marked(): readonly string[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(join('/proc', name, 'environ'), 'latin1').includes(mark);
    } catch {
      // It has ended meanwhile, or is somebody else's.
      return false;
    }
  });
}

let ended: Ended;
let duringRun: readonly string[];

beforeAll(async () => {
  const [name = '', value = ''] = mark.split('=');
  await using run = startPlugfest(['run', lab, '--out', out], { env: { [name]: value } });
  await run.shows(/^\[ *\d+\/\d+\]/m, 'stderr');
  duringRun = marked();
  run.signal('SIGINT');
  ended = await run.ended;
}, 60_000);

describe('a run that is interrupted by Ctrl-C', () => {
  it('ends with exit code 1 and no stack trace', () => {
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(stackFrames(ended.stdout + ended.stderr)).toEqual([]);
  });

  it('writes all its files, with the cells that are left as not run', () => {
    expect(readdirSync(out).sort()).toEqual(runFiles);
    const { cells, exitCode } = readReport(out);
    const outcomes = new Set(cells.map(({ outcome }) => outcome));
    expect(outcomes).toContain('ok');
    expect(outcomes).toContain('not-run');
    expect(exitCode).toBe(1);
    for (const { outcome, reason } of cells) if (outcome === 'not-run') expect(reason).toMatch(/\S/);
  });

  it('does not pass for a clean run on the terminal', () => {
    expect(ended.stdout).not.toMatch(/^Pass/m);
  });

  it('leaves a capture without gaps that verifies', async () => {
    const { code, stdout } = await plugfest(['verify', join(out, 'capture.sqlite'), '--format', 'json']);
    expect([0, 1]).toContain(code);
    expect((JSON.parse(stdout) as Verdict).capture.gaps).toBe(0);
  });

  it('leaves no process behind', async () => {
    if (existsSync('/proc/self/environ')) expect(duringRun.length).toBeGreaterThanOrEqual(3);
    expect(marked()).toEqual([]);
    for (const { cardUrl } of readReport(out).agents)
      await expect(fetch(cardUrl ?? ''), cardUrl).rejects.toThrow('fetch failed');
  });
});
