import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Verdict } from '@plugfest/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorLines, stackFrames } from './no-stack-trace.ts';
import { plugfest, repositoryRoot, startPlugfest } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const clean = join(repositoryRoot, 'test', 'fixtures', 'clean-stream.ndjson');
const sound = join(folder, 'sound.sqlite');

beforeAll(async () => {
  expect(await plugfest(['import', clean, '-o', sound])).toMatchObject({ code: 0 });
});

function edited(path: string, sql: string): void {
  copyFileSync(sound, path);
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

/** What a path may hold in place of a capture. */
const kinds: Readonly<Record<string, (path: string) => void>> = {
  'is not there': () => undefined,
  'is a folder': (path) => mkdirSync(path),
  'is empty': (path) => writeFileSync(path, ''),
  'is no SQLite': (path) => writeFileSync(path, '{"log":{}}'.repeat(1000)),
  'is SQLite of somebody else': (path) => {
    const db = new DatabaseSync(path);
    db.exec('CREATE TABLE t (a)');
    db.close();
  },
  'is truncated': (path) => {
    copyFileSync(sound, path);
    truncateSync(path, 40_000);
  },
  'is of a newer version': (path) => edited(path, 'PRAGMA user_version = 999'),
  'has a table of somebody': (path) => edited(path, 'CREATE TABLE more (a)'),
  'lacks a table': (path) => edited(path, 'DROP TABLE gaps'),
};

const commands: Readonly<Record<string, (path: string) => readonly string[]>> = {
  verify: (path) => ['verify', path],
  export: (path) => ['export', path, '--to', 'ndjson'],
  seal: (path) => ['seal', path],
  diff: (path) => ['diff', sound, path],
  'proxy --append': (path) => ['proxy', '--edge', 'a=b@http://127.0.0.1:9', '--capture', path, '--append'],
  'import --force': (path) => ['import', clean, '--force', '-o', path],
};

/** Commands that make a capture where there is none. */
const making = new Set(['proxy --append', 'import --force']);

/** A path, and all that lies beside it. */
function stateOf(place: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(place).map((name) => {
      const path = join(place, name);
      const what = lstatSync(path).isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : 'folder';
      return [name, what];
    }),
  );
}

describe.concurrent('a path that', { timeout: 120_000 }, () => {
  for (const [kind, make] of Object.entries(kinds))
    it(`${kind} is refused by each command in one line that names it, and left as it is`, async () => {
      const place = join(folder, kind.replaceAll(' ', '-'));
      mkdirSync(place);
      const path = join(place, 'capture.sqlite');
      make(path);
      const before = stateOf(place);
      for (const [command, args] of Object.entries(commands)) {
        if (kind === 'is not there' && making.has(command)) continue;
        const { code, stdout, stderr } = await plugfest(args(path));
        const [line = '', ...more] = errorLines(stderr);
        expect(code, `${command}: ${stderr}`).toBe(2);
        expect(more, command).toEqual([]);
        expect(line, command).toContain(path);
        expect(line, command).toMatch(/\((PLUGFEST_CAPTURE_\w+|PLUGFEST_OUTPUT)\)$/);
        expect(stackFrames(stderr), command).toEqual([]);
        expect(stdout, command).toBe('');
        expect(stateOf(place), command).toEqual(before);
      }
      // What cannot be read as a capture is not what was sealed.
      const { code } = await plugfest(['seal', '--check', path]);
      expect([1, 2]).toContain(code);
      expect(stateOf(place)).toEqual(before);
    });
});

describe('a capture of the first version of the schema', { timeout: 60_000 }, () => {
  it('is judged as it is, and brought to the newest by who records to it', async () => {
    const path = join(folder, 'older.sqlite');
    edited(path, 'DROP TABLE seal; DROP TABLE seal_links; PRAGMA user_version = 1');
    const before = readFileSync(path);
    const judged = async (): Promise<Verdict> =>
      JSON.parse((await plugfest(['verify', path, '--format', 'json'])).stdout) as Verdict;
    const newest = JSON.parse((await plugfest(['verify', sound, '--format', 'json'])).stdout) as Verdict;
    expect(await judged()).toEqual(newest);
    expect(readFileSync(path).equals(before)).toBe(true);
    {
      await using recorder = startPlugfest([
        ...['proxy', '--edge', 'client=agent@http://127.0.0.1:9', '--capture', path, '--append'],
      ]);
      await recorder.shows(/client -> agent/);
    }
    expect((await judged()).capture.exchanges).toBe(newest.capture.exchanges);
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 });
    db.close();
  });
});

describe('a capture that is being recorded', () => {
  it('has one writer: others are refused, and it can be judged meanwhile', async () => {
    const path = join(folder, 'busy.sqlite');
    const record = ['proxy', '--edge', 'client=agent@http://127.0.0.1:9', '--capture', path];
    await using recorder = startPlugfest(record);
    await recorder.shows(/client -> agent/);
    for (const args of [
      [...record, '--append'],
      ['seal', path],
      ['import', clean, '--force', '-o', path],
    ]) {
      const { code, stderr } = await plugfest(args);
      expect(errorLines(stderr)).toEqual([
        expect.stringContaining(`${path} is being written by another process`),
      ]);
      expect(code).toBe(2);
    }
    expect((await plugfest(['export', path, '--to', 'ndjson'])).stderr).toBe('');
  });
});

/** A folder that nobody may write to: not even root, for whom permissions do not count. */
class ReadOnlyFolder {
  readonly path: string;
  readonly #mounted: boolean;

  private constructor(path: string, mounted: boolean) {
    this.path = path;
    this.#mounted = mounted;
  }

  static make(path: string, fill: (path: string) => void): ReadOnlyFolder | undefined {
    mkdirSync(path);
    if (process.getuid?.() !== 0) {
      fill(path);
      chmodSync(path, 0o555);
      return new ReadOnlyFolder(path, false);
    }
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
    fill(path);
    execFileSync('mount', ['-o', 'remount,ro', path], { stdio: 'ignore' });
    return new ReadOnlyFolder(path, true);
  }

  restore(): void {
    if (this.#mounted) execFileSync('umount', [this.path]);
    else chmodSync(this.path, 0o755);
  }
}

describe('a read-only folder', () => {
  let place: ReadOnlyFolder | undefined;
  beforeAll(() => {
    place = ReadOnlyFolder.make(join(folder, 'read-only'), (path) =>
      copyFileSync(sound, join(path, 'c.sqlite')),
    );
  });
  afterAll(() => place?.restore());

  it('can be read from; what would be written there is refused by name', async (context) => {
    // A root without the right to mount: there is no such folder for it.
    if (place === undefined) return context.skip();
    const path = join(place.path, 'c.sqlite');
    const before = stateOf(place.path);
    expect((await plugfest(['verify', path])).code).toBe(0);
    expect((await plugfest(['export', path, '--to', 'har'])).code).toBe(0);
    for (const args of [
      ['seal', path],
      ['proxy', '--edge', 'a=b@http://127.0.0.1:9', '--capture', join(place.path, 'new.sqlite')],
      ['proxy', '--edge', 'a=b@http://127.0.0.1:9', '--capture', path, '--append'],
      ['import', clean, '-o', join(place.path, 'new.sqlite')],
      ['import', clean, '--force', '-o', path],
    ]) {
      const { code, stderr } = await plugfest(args);
      expect(errorLines(stderr), args.join(' ')).toEqual([
        expect.stringMatching(/read-only.*\(PLUGFEST_OUTPUT\)/),
      ]);
      expect(code, args.join(' ')).toBe(2);
      expect(stackFrames(stderr)).toEqual([]);
    }
    expect(stateOf(place.path)).toEqual(before);
  });
});
