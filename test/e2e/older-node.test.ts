import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { labFile, stubCommand } from './lab-file.ts';
import { repositoryRoot } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const lab = labFile(
  folder,
  `
name: silent
timeouts: { startMs: 60000 }
agents:
  strange: { command: ${stubCommand('never-ready')} }
`,
);
const bin = join(repositoryRoot, 'packages', 'cli', 'bin', 'plugfest.mjs');
/** Makes the Node.js of this machine say that it is an older one. */
const older =
  "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})";

let count = 0;
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A run on an older Node.js, which has another process do the work; and the process id of that. */
async function startOnOlderNode(): Promise<{ outer: ChildProcess; inner: number; ended: Promise<unknown> }> {
  count += 1;
  const out = join(folder, `out-${count}`);
  const outer = spawn(process.execPath, ['--import', older, bin, 'run', lab, '--out', out], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // A process group of its own, for what a terminal does.
    detached: true,
  });
  started.push(outer);
  const ended = new Promise((resolve) => outer.once('exit', (code, signal) => resolve({ code, signal })));
  for (let tries = 0; tries < 600; tries += 1) {
    if (existsSync(join(out, 'capture.partial.sqlite-wal'))) {
      const [inner] = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim().split(' ');
      return { outer, inner: Number(inner), ended };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the run did not start');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie that nobody waits for has ended.
  return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

async function endOf(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200 && isAlive(pid); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return !isAlive(pid);
}

const listed = existsSync('/proc/self/task');

describe.runIf(listed)('a run that an older Node.js has a newer one do', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends with the outer process by %s',
    async (signal) => {
      const { outer, inner, ended } = await startOnOlderNode();
      outer.kill(signal);
      expect(await ended).toEqual({ code: 1, signal: null });
      expect(isAlive(inner)).toBe(false);
    },
    60_000,
  );

  it('ends in order where a terminal signals both, so that the inner one is told twice', async () => {
    const { outer, inner, ended } = await startOnOlderNode();
    process.kill(-(outer.pid ?? 0), 'SIGINT');
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(isAlive(inner)).toBe(false);
  }, 60_000);

  it('ends where the outer process is killed', async () => {
    const { outer, inner, ended } = await startOnOlderNode();
    expect(isAlive(inner)).toBe(true);
    outer.kill('SIGKILL');
    await ended;
    expect(await endOf(inner)).toBe(true);
  }, 60_000);
});
