import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlugfestError } from '@plugfest/model';
import { afterAll, describe, expect, it } from 'vitest';
import { type Claimant, claim } from './claim.ts';

const folder = mkdtempSync(join(tmpdir(), 'plugfest-claim-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
const path = (): string => join(folder, `claim-${++count}`);

const taken = (by: Claimant | undefined): PlugfestError =>
  new PlugfestError('PLUGFEST_CAPTURE_BUSY', JSON.stringify(by));

const source = `
import { PlugfestError } from '@plugfest/model';
import { claim } from ${JSON.stringify(new URL('./claim.ts', import.meta.url).href)};
const [file] = process.argv.slice(1);
try {
  const held = claim(file, (by) => new PlugfestError('PLUGFEST_CAPTURE_BUSY', JSON.stringify(by)));
  process.stdout.write('claimed\\n');
  for await (const _ of process.stdin);
  held.release();
} catch (error) {
  process.stdout.write(error.code + ' ' + error.message + '\\n');
  process.exit();
}
`;

/** A process that claims the file, says so or why it could not, and holds the claim until its input ends. */
function claimant(file: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, file], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
  return { child, said, ended: new Promise((resolve) => child.once('close', resolve)) };
}

describe('a claim', () => {
  it('is refused to another process, which is told who has it and since when', async () => {
    const file = path();
    const held = claim(file, taken);
    const said = await claimant(file).said;
    const [, code, told = ''] = /^(\S+) (.*)\n$/.exec(said) ?? [];
    expect(code, said).toBe('PLUGFEST_CAPTURE_BUSY');
    const by = JSON.parse(told) as Claimant;
    expect(by).toMatchObject({ pid: process.pid, host: hostname() });
    expect(Math.abs(Date.parse(by.since) - Date.now())).toBeLessThan(60_000);
    held.release();
    expect(existsSync(file)).toBe(false);
  });

  it('is free again when it was given back', () => {
    const file = path();
    claim(file, taken).release();
    const again = claim(file, taken);
    expect(existsSync(file)).toBe(true);
    again.release();
    again.release();
    expect(existsSync(file)).toBe(false);
  });

  it('ends with a process that is killed, whatever that left behind', async () => {
    const file = path();
    const holder = claimant(file);
    expect(await holder.said).toBe('claimed\n');
    expect(() => claim(file, taken)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(`"pid":${holder.child.pid},`) }),
    );
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(existsSync(file)).toBe(true);
    claim(file, taken).release();
  });

  it('is had by exactly one of those who ask at the same moment', async () => {
    for (let round = 0; round < 3; round += 1) {
      const file = path();
      const all = Array.from({ length: 4 }, () => claimant(file));
      const said = await Promise.all(all.map((each) => each.said));
      for (const { child } of all) child.stdin.end();
      await Promise.all(all.map(({ ended }) => ended));
      const [winner, ...others] = said.sort((one, other) => one.length - other.length);
      expect(winner).toBe('claimed\n');
      for (const each of others) expect(each).toMatch(/^PLUGFEST_CAPTURE_BUSY \{"pid":\d+/);
    }
  }, 60_000);

  it('is not made of what somebody else put there', () => {
    const [theirs, linked, directory] = [path(), path(), path()];
    writeFileSync(theirs, 'a text, longer than what SQLite writes at the head of a file\n'.repeat(9));
    symlinkSync(theirs, linked);
    mkdirSync(directory);
    for (const file of [theirs, linked, directory]) {
      expect(() => claim(file, taken), file).toThrow(expect.objectContaining({ code: 'PLUGFEST_OUTPUT' }));
      expect(existsSync(file)).toBe(true);
    }
  });
});
