import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { importNdjson, openCapture } from '@plugfest/capture';
import { runId, type Verdict } from '@plugfest/model';
import { mixedTraffic } from './mixed-traffic.ts';

const plugfest = fileURLToPath(new URL('../../../packages/cli/bin/plugfest.mjs', import.meta.url));
const usage = new URL('./report-usage.mjs', import.meta.url).href;

export interface VerifyRun {
  readonly exchanges: number;
  readonly rules: number;
  /** From the start of the process to its end, in processor time of all threads, and the most memory at any time. */
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly rssMib: number;
}

let folder: string | undefined;
const captures = new Map<number, Promise<string>>();

/** A mixed capture of some size; made once, and gone with the process. */
function captureOf(exchanges: number): Promise<string> {
  const known = captures.get(exchanges) ?? makeCapture(exchanges);
  captures.set(exchanges, known);
  return known;
}

async function makeCapture(exchanges: number): Promise<string> {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'plugfest-bench-'));
    folder = made;
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
  }
  const file = join(folder, `${exchanges}.sqlite`);
  const sink = openCapture({ file, run: runId('bench') });
  await importNdjson(mixedTraffic(exchanges), sink, { file: 'bench' });
  await sink.close();
  return file;
}

const runs = new Map<string, Promise<VerifyRun>>();

/** `plugfest verify` on a mixed capture of some size. What another figure has run is not run again. */
export function verifyRun(exchanges: number, threads: 1 | 2 | undefined = undefined): Promise<VerifyRun> {
  const key = `${exchanges} ${threads}`;
  const known = runs.get(key) ?? run(exchanges, threads);
  runs.set(key, known);
  return known;
}

async function run(exchanges: number, threads: 1 | 2 | undefined): Promise<VerifyRun> {
  const file = await captureOf(exchanges);
  const child = spawn(
    process.execPath,
    [
      ...['--import', usage, plugfest, 'verify', file, '--format', 'json'],
      ...(threads === undefined ? [] : ['--threads', `${threads}`]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const verdict = JSON.parse(stdout) as Verdict;
  if (verdict.capture.exchanges !== exchanges || verdict.summary.error > 0)
    throw new Error(`the verdict is not on ${exchanges} exchanges: ${stderr}`);
  const used = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Omit<VerifyRun, 'exchanges' | 'rules'>;
  return { exchanges, rules: verdict.rulebook.rules, ...used };
}

/** Wall time of the exchanges by themselves: without the start of the process and the loading of the rules. */
export async function perSecond(exchanges: number, threads?: 1 | 2): Promise<number> {
  const [idle, busy] = [await verifyRun(exchangesOfNothing, threads), await verifyRun(exchanges, threads)];
  return ((busy.exchanges - idle.exchanges) * 1000) / (busy.wallMs - idle.wallMs);
}

/** One round of traffic: what it takes is the start. */
const exchangesOfNothing = 20;
