import { chmodSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { labFile } from './lab-file.ts';
import { errorLines } from './no-stack-trace.ts';
import { plugfest, repositoryRoot } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const clean = join(repositoryRoot, 'test', 'fixtures', 'clean-stream.ndjson');
const capture = join(folder, 'capture.sqlite');
let before: string;
let root: string;

beforeAll(async () => {
  expect(await plugfest(['import', clean, '-o', capture])).toMatchObject({ code: 0 });
  before = (await plugfest(['verify', capture, '--format', 'json'])).stdout;
  const sealed = await plugfest(['seal', capture]);
  expect(sealed).toMatchObject({ code: 0 });
  root = sealed.stdout.trim();
}, 60_000);

/** The capture after somebody with a SQLite shell. */
function altered(name: string, sql: string): string {
  const file = join(folder, name);
  copyFileSync(capture, file);
  chmodSync(file, 0o600);
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
  return file;
}

describe('plugfest seal', { timeout: 90_000 }, () => {
  it('prints the root, says it again, and leaves the verdict what it was', async () => {
    expect(root).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await plugfest(['seal', capture])).toMatchObject({ code: 0, stdout: `${root}\n` });
    expect(await plugfest(['seal', '--check', capture, '--root', root])).toMatchObject({ code: 0 });
    const judged = await plugfest(['verify', capture, '--seal', root, '--format', 'json']);
    expect(judged).toMatchObject({ code: 0, stdout: before, stderr: '' });
  });

  it('says with --check what was altered, and verify does not judge that', async () => {
    const file = altered('altered.sqlite', "UPDATE exchanges SET status = 500 WHERE id = 'x2'");
    const checked = await plugfest(['seal', '--check', file]);
    expect(checked).toMatchObject({ code: 1, stdout: '' });
    expect(checked.stderr).toMatch(
      /altered\.sqlite is not what was sealed\n {2}record \d+ \(exchange x2\): altered\n$/,
    );
    expect(await plugfest(['seal', file])).toMatchObject({ code: 1, stdout: '' });
    for (const format of ['json', 'text']) {
      const judged = await plugfest(['verify', file, '--format', format]);
      expect(judged).toMatchObject({ code: 1, stdout: '', stderr: checked.stderr });
    }
  });

  it('is missed by who wants one: a capture that is not sealed, or sealed anew', async () => {
    const stripped = altered('stripped.sqlite', 'DELETE FROM seal; DELETE FROM seal_links');
    for (const args of [
      ['seal', '--check', stripped],
      ['verify', stripped, '--seal', root],
    ]) {
      const { code, stdout, stderr } = await plugfest(args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(errorLines(stderr)).toEqual([`plugfest: ${stripped} is not sealed`]);
    }
    expect(await plugfest(['verify', stripped, '--format', 'json'])).toMatchObject({ code: 0 });

    const anew = altered(
      'anew.sqlite',
      "DELETE FROM seal; DELETE FROM seal_links; UPDATE notes SET text = ''; UPDATE clock SET wall_ms = 1",
    );
    expect(await plugfest(['seal', anew])).toMatchObject({ code: 0 });
    const { code, stderr } = await plugfest(['verify', anew, '--seal', root]);
    expect(code).toBe(1);
    expect(stderr).toContain(`the seal is another one: its root is sha256:`);
  });

  it('keeps recorders, importers and runs from the capture', async () => {
    const out = join(folder, 'run');
    mkdirSync(out);
    copyFileSync(capture, join(out, 'capture.sqlite'));
    const lab = labFile(
      folder,
      'name: x\nscenarios: [send-blocking]\nagents: { amber: { kind: js, protocol: "1.0" }, birch: { kind: js, protocol: "1.0" } }\n',
    );
    for (const args of [
      ['proxy', '--edge', 'a=b@http://127.0.0.1:9', '--capture', capture, '--append'],
      ['import', clean, '--force', '-o', capture],
      ['run', lab, '--out', out],
    ]) {
      const { code, stderr } = await plugfest(args);
      expect(errorLines(stderr), stderr).toEqual([
        expect.stringMatching(/is sealed.*\(PLUGFEST_CAPTURE_SEALED\)$/),
      ]);
      expect(code).toBe(2);
    }
    expect(readFileSync(join(out, 'capture.sqlite')).equals(readFileSync(capture))).toBe(true);
    expect(await plugfest(['seal', '--check', capture, '--root', root])).toMatchObject({ code: 0 });
  });

  it('refuses a root that is none, and one without --check', async () => {
    expect(await plugfest(['seal', '--check', capture, '--root', 'abc'])).toMatchObject({ code: 2 });
    const { code, stderr } = await plugfest(['seal', capture, '--root', root]);
    expect({ code, lines: errorLines(stderr) }).toEqual({
      code: 2,
      lines: [expect.stringContaining('--check')],
    });
  });
});
