import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { labFile, stubCommand } from './lab-file.ts';
import { errorLines } from './no-stack-trace.ts';
import { plugfest, startPlugfest } from './plugfest.ts';
import { readReport, runFiles } from './run-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const earlier = join(folder, 'earlier');

const good = labFile(
  folder,
  `
name: good
scenarios: [send-blocking]
agents:
  amber: { kind: js, protocol: "1.0" }
`,
);
const bad = labFile(
  folder,
  `
name: bad
scenarios: [send-blocking]
agents:
  strange: { command: ${stubCommand('dead')} }
`,
);
const absent = labFile(
  folder,
  `
name: absent
agents:
  one: { command: [./is-not-there] }
  two: { command: [.agents/guest-none/bin/serve] }
`,
);
const silent = labFile(
  folder,
  `
name: silent
timeouts: { startMs: 20000 }
agents:
  strange: { command: ${stubCommand('never-ready')} }
`,
);

/** A copy of the folder of a run that went through. */
function folderWithRun(): string {
  const out = mkdtempSync(join(folder, 'out-'));
  for (const name of readdirSync(earlier)) copyFileSync(join(earlier, name), join(out, name));
  return out;
}

const contents = (out: string): Record<string, string> =>
  Object.fromEntries(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'base64')]));

beforeAll(async () => {
  const { code, stderr } = await plugfest(['run', good, '--out', earlier]);
  expect(code, stderr).toBeLessThan(2);
  expect(readdirSync(earlier).sort()).toEqual(runFiles);
}, 60_000);

describe.concurrent('a run into the folder of an earlier one', () => {
  it('leaves it as it was where it fails, and keeps its own capture beside it', async () => {
    const out = folderWithRun();
    const before = contents(out);
    const { code, stderr } = await plugfest(['run', bad, '--out', out]);
    expect(code).toBe(2);
    const { 'capture.failed.sqlite': failed, ...others } = contents(out);
    expect(others).toEqual(before);
    expect(failed).toBeDefined();
    expect(stderr).toContain(join(out, 'capture.failed.sqlite'));
    expect((await plugfest(['verify', join(out, 'capture.failed.sqlite')])).code).toBeLessThan(2);
  });

  it('leaves it as it was where there is nothing to run, or an agent is not there', async () => {
    const out = folderWithRun();
    const before = contents(out);
    const none = await plugfest(['run', good, '--out', out, '--only', 'nobody>*']);
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining('no cell is left to run. (PLUGFEST_USAGE)'),
    ]);
    const missing = await plugfest(['run', absent, '--out', out]);
    expect([missing.code, errorLines(missing.stderr)[0]]).toEqual([
      2,
      expect.stringContaining('one: there is no program ./is-not-there'),
    ]);
    expect(missing.stderr).toContain('two: guest-none is not installed. (PLUGFEST_AGENT_NOT_INSTALLED)');
    expect(missing.stderr).toContain('npm run agents:install -- --only guest-none');
    expect(contents(out)).toEqual(before);
  });

  it('replaces all of its files where it goes through', async () => {
    const out = folderWithRun();
    const before = contents(out);
    expect((await plugfest(['run', good, '--out', out])).code).toBeLessThan(2);
    expect(readdirSync(out).sort()).toEqual(runFiles);
    expect(readReport(out).run.id).not.toBe(readReport(earlier).run.id);
    expect(contents(out)['capture.sqlite']).not.toBe(before['capture.sqlite']);
    expect(readFileSync(join(out, 'traces.otlp.jsonl'), 'utf8')).not.toContain(readReport(earlier).run.id);
  });

  it('keeps what a killed one recorded, and is refused while one is at work', async () => {
    const out = folderWithRun();
    const before = contents(out);
    await using killed = startPlugfest(['run', silent, '--out', out]);
    while (!readdirSync(out).includes('capture.partial.sqlite-wal'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const second = await plugfest(['run', bad, '--out', out]);
    expect(errorLines(second.stderr)[0]).toMatch(
      new RegExp(
        `A run is going on in \\S+ \\(process ${killed.pid}, since 20\\S+Z\\) \\(PLUGFEST_CAPTURE_BUSY\\)`,
      ),
    );
    expect(second.code).toBe(2);
    const resumed = await plugfest(['run', bad, '--resume', out]);
    expect(errorLines(resumed.stderr)[0]).toContain('A run is going on in');
    killed.signal('SIGKILL');
    await killed.ended;
    expect(contents(out)).toMatchObject(before);
    expect((await plugfest(['run', good, '--out', out])).code).toBeLessThan(2);
    expect(readdirSync(out).sort()).toEqual([...runFiles, 'capture.failed.sqlite'].sort());
  });
});

describe('two runs that begin in one folder at once', () => {
  it('are one, and one that is told of it', async () => {
    const out = join(folder, 'at-once');
    const both = await Promise.all([1, 2].map(() => plugfest(['run', good, '--out', out])));
    const [ran, refused] = both.sort((one, other) => (one.code ?? 9) - (other.code ?? 9));
    expect(ran?.code, ran?.stderr).toBeLessThan(2);
    expect(refused?.code).toBe(2);
    expect(errorLines(refused?.stderr ?? '')).toEqual([expect.stringContaining('A run is going on in')]);
    expect(readdirSync(out).sort()).toEqual(runFiles);
  });
});

describe.concurrent('a folder that is somebody else', () => {
  const refused = async (out: string, words: RegExp): Promise<void> => {
    const before = readdirSync(out);
    const { code, stderr } = await plugfest(['run', bad, '--out', out]);
    expect(errorLines(stderr)).toHaveLength(1);
    expect(errorLines(stderr)[0]).toMatch(words);
    expect(errorLines(stderr)[0]).toContain('(PLUGFEST_OUTPUT)');
    expect(code).toBe(2);
    expect(readdirSync(out)).toEqual(before);
  };

  it('with a report of theirs is refused before any agent starts', async () => {
    const out = mkdtempSync(join(folder, 'theirs-'));
    writeFileSync(join(out, 'report.html'), 'theirs');
    await refused(out, /report\.html lies there without a capture\.sqlite/);
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toBe('theirs');
  });

  it('with a capture.sqlite that is none is refused', async () => {
    const out = mkdtempSync(join(folder, 'theirs-'));
    writeFileSync(join(out, 'capture.sqlite'), 'theirs');
    await refused(out, /capture\.sqlite is not a Plugfest capture, so it is left alone/);
  });

  it('with a link, or a folder, in the place of a report is refused', async () => {
    const linked = folderWithRun();
    const target = join(folder, 'target.txt');
    writeFileSync(target, 'theirs');
    const other = mkdtempSync(join(folder, 'theirs-'));
    symlinkSync(target, join(other, 'report.md'));
    await refused(other, /report\.md is a link/);
    expect(readFileSync(target, 'utf8')).toBe('theirs');
    mkdirSync(join(linked, 'capture.failed.sqlite'));
    await refused(linked, /capture\.failed\.sqlite is not a file/);
  });
});
