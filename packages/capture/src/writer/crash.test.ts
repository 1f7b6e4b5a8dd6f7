import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runId } from '@plugfest/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCaptureSource } from '../reader/open.ts';
import { recordExchange } from '../testing/traffic.ts';
import { openCapture } from './open.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'));
  file = join(folder, 'capture.sqlite');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Records without a pause until it is killed. Gives the number of exchanges whose flush it saw resolved. */
async function killedUnderLoad(): Promise<number> {
  const recorder = new URL('../testing/endless-recorder.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [recorder, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let flushed = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    flushed = Number(line);
    if (flushed >= 1000) child.kill('SIGKILL');
  }
  await exited;
  return flushed;
}

const digestsOf = (paths: readonly string[]): string[] =>
  paths.map((path) => createHash('sha256').update(readFileSync(path)).digest('hex'));

interface Seen {
  readonly exchanges: number;
  readonly open: number;
  readonly clean: boolean;
  readonly gaps: readonly { readonly reason: string; readonly atNs: number }[];
  readonly lastNs: number;
  readonly root: string;
}

function look(path: string): Seen {
  const source = openCaptureSource(path);
  let open = 0;
  let exchanges = 0;
  let lastNs = 0;
  for (const { end, request, response } of source.exchanges()) {
    exchanges += 1;
    if (end.kind === 'open') open += 1;
    lastNs = Math.max(lastNs, request.atNs, response?.atNs ?? 0, end.atNs ?? 0);
  }
  const { cleanShutdown: clean, root } = source.info;
  const seen = { exchanges, open, clean, gaps: source.gaps(), lastNs, root };
  source.close();
  return seen;
}

describe('a recorder that is killed', () => {
  it('leaves a capture that opens, lacks nothing that was flushed, and shows the gap', async () => {
    const flushed = await killedUnderLoad();
    const first = look(file);
    expect(first.clean).toBe(false);
    expect(first.exchanges).toBeGreaterThanOrEqual(flushed);
    expect(first.gaps).toMatchObject([{ reason: 'unclean-shutdown' }]);
    expect(first.gaps[0]?.atNs).toBeGreaterThanOrEqual(first.lastNs);
    expect(first.open).toBeLessThanOrEqual(1);

    // Reading again changes nothing, neither the result nor the files.
    const files = readdirSync(folder).filter((name) => !name.endsWith('-shm'));
    const digests = digestsOf(files.map((name) => join(folder, name)));
    expect(look(file)).toEqual(first);
    expect(digestsOf(files.map((name) => join(folder, name)))).toEqual(digests);

    // The same without the shared memory that the recorder left, as from an archive: and none is created.
    const archive = mkdtempSync(join(tmpdir(), 'capture-'));
    for (const suffix of ['', '-wal'])
      copyFileSync(`${file}${suffix}`, join(archive, `capture.sqlite${suffix}`));
    expect(look(join(archive, 'capture.sqlite'))).toEqual(first);
    expect(readdirSync(archive).sort()).toEqual(['capture.sqlite', 'capture.sqlite-wal']);
    rmSync(archive, { recursive: true });

    // The next writer makes the gap a record.
    const next = openCapture({ file, run: runId('run-2'), existing: 'continue' });
    recordExchange(next, { id: 'after' });
    await next.close();
    const continued = look(file);
    expect(continued.exchanges).toBe(first.exchanges + 1);
    expect(continued.clean).toBe(false);
    expect(continued.gaps).toEqual(first.gaps);
    expect(existsSync(`${file}-wal`)).toBe(false);
  }, 10_000);
});
