import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { labFile } from './lab-file.ts';
import { stackFrames } from './no-stack-trace.ts';
import { type Ended, plugfest, startPlugfest } from './plugfest.ts';
import { readReport } from './run-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const out = join(folder, 'out');
const text = (name: string) => `
name: ${name}
seed: 4
concurrency: 1
scenarios: [discovery, get-task, resubscribe, send-blocking, stream]
agents:
  amber: { kind: js, protocol: "1.0" }
`;
const lab = labFile(folder, text('resumed'));

let ended: Ended;

beforeAll(async () => {
  await using run = startPlugfest(['run', lab, '--out', out]);
  await run.shows(/^\[ *\d+\/\d+\]/m, 'stderr');
  // What the recorder gets it stores within 20 ms.
  await setTimeout(500);
  run.signal('SIGKILL');
  await run.ended;
  expect(existsSync(join(out, 'report.json'))).toBe(false);
  ended = await plugfest(['run', lab, '--resume', out]);
}, 90_000);

describe('a run that was killed', () => {
  it('is taken up where it was, with a verdict over all of it', () => {
    expect(ended.code).not.toBe(3);
    const { cells, notes, exchanges } = readReport(out);
    expect(cells.length).toBe(15);
    expect(cells.filter(({ outcome }) => outcome !== 'ok').map(({ id, reason }) => [id, reason])).toEqual([]);
    expect(notes.join('\n')).toMatch(/\d+ of 15 cells are taken from the run that was interrupted/);
    // Cells of both sessions have their exchanges in the one capture, under ids that do not meet.
    expect(cells.filter((cell) => cell.exchanges.length === 0).map(({ id }) => id)).toEqual([]);
    expect(new Set(exchanges.map(({ id }) => id)).size).toBe(exchanges.length);
  });

  it('leaves a capture that verifies as the run did', async () => {
    const { code } = await plugfest(['verify', join(out, 'capture.sqlite')]);
    expect(code).toBe(readReport(out).exitCode);
  });
});

describe('what cannot be taken up is said in a line, with exit code 2', () => {
  it.each([
    ['a file', () => [lab, '--resume', lab], /holds no run/],
    ['a folder without a run', () => [lab, '--resume', join(folder, 'nowhere')], /holds no run/],
    [
      'a run of another lab',
      () => [labFile(folder, text('other')), '--resume', out],
      /of the lab resumed, not of other/,
    ],
    ['a folder to go on in and another', () => [lab, '--resume', out, '--out', out], /both given/],
  ])('%s', async (_, args, message) => {
    const { code, stderr } = await plugfest(['run', ...args()]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stackFrames(stderr)).toEqual([]);
  });

  it('and leaves the folder as it was', () => {
    expect(existsSync(join(out, 'capture.sqlite'))).toBe(true);
    for (const name of ['capture.partial.sqlite', 'capture.failed.sqlite'])
      expect(existsSync(join(out, name))).toBe(false);
  });
});

describe('a run that broke off after another was published', () => {
  it('is the one that is taken up', async () => {
    const where = join(folder, 'both');
    await plugfest(['run', lab, '--out', where, '--only', '**/discovery']);
    await using run = startPlugfest(['run', lab, '--out', where]);
    await run.shows(/^\[ *\d+\/\d+\]/m, 'stderr');
    await setTimeout(500);
    run.signal('SIGKILL');
    await run.ended;
    // A try that came to nothing, since its agent has a flag that it does not know.
    const broken = labFile(folder, text('resumed').replace('"1.0" }', '"1.0", args: [--nope] }'));
    expect((await plugfest(['run', broken, '--resume', where])).code).toBe(2);
    expect(existsSync(join(where, 'capture.failed.sqlite'))).toBe(true);
    await plugfest(['run', lab, '--resume', where]);
    const { cells, exchanges, notes } = readReport(where);
    expect(cells.length).toBe(15);
    // Only the run that was killed began more than one scenario.
    expect(notes.join('\n')).toMatch(/[1-9]\d* of 15 cells are taken/);
    const scenarios = new Set(
      cells.filter(({ outcome }) => outcome === 'ok').map(({ scenario }) => scenario),
    );
    expect(scenarios.size).toBeGreaterThan(1);
    expect(exchanges.length).toBeGreaterThan(0);
  }, 90_000);
});
