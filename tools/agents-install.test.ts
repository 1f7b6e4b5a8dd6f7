import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
// @ts-expect-error plain JavaScript, since it runs before anything is installed
import { install, summary } from './agents-install.mjs';

const script = fileURLToPath(new URL('./agents-install.mjs', import.meta.url));

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plugfest-agents-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** A kind whose installer consists of the given functions. */
function kind(name: string, functions: string, folder = `agent-${name}`): void {
  const here = join(root, 'docker', folder);
  mkdirSync(here, { recursive: true });
  const defaults = {
    isCurrent: 'export const isCurrent = () => false;',
    toolchain: 'export const toolchain = async () => ({ ok: true });',
    install: "export const install = async () => 'done';",
  };
  const missing = Object.entries(defaults).filter(([each]) => !functions.includes(`const ${each} `));
  const text = [`export const name = '${name}';`, functions, ...missing.map(([, code]) => code)].join('\n');
  writeFileSync(join(here, 'install.mjs'), text);
}

async function installed(only: readonly string[] = []) {
  const lines: string[] = [];
  const results = await install({ root, only, log: (line: string) => lines.push(line) });
  return { results, lines };
}

test("a guest is somebody else's server, and goes by its whole name", async () => {
  kind('guest-a', '', 'guest-a');
  kind('a', '');
  const { results } = await installed(['guest-a']);
  expect(results).toMatchObject([{ name: 'guest-a', state: 'installed' }]);
});

test('each kind has its own fate, in the order of names', async () => {
  kind('d', '');
  kind('a', 'export const isCurrent = () => true;');
  kind('c', "export const install = async () => { throw new Error('the compiler gave up'); };");
  kind(
    'b',
    "export const toolchain = async () => ({ ok: false, reason: 'needs Go (there is no go on PATH)' });",
  );
  const { results, lines } = await installed();
  expect(results).toMatchObject([
    { name: 'a', state: 'up to date', detail: '' },
    { name: 'b', state: 'missing toolchain', detail: 'needs Go (there is no go on PATH)' },
    { name: 'c', state: 'failed', detail: 'the compiler gave up' },
    { name: 'd', state: 'installed', detail: 'done' },
  ]);
  expect(lines).toContain('b: missing toolchain — needs Go (there is no go on PATH)');
  expect(lines).toContainEqual(expect.stringMatching(/^c: failed in \d+\.\d s — the compiler gave up$/));
  const end = lines.findIndex((line) => /^d: installed in \d+\.\d s — done$/.test(line));
  expect(lines.indexOf('d: installing')).toBeLessThan(end);
  expect(summary(results)).toBe(
    '2 of 4 lab agents can be used beside the bundled one; without toolchain: b; failed: c',
  );
});

test('two kinds are installed at once where there are two cores, and never three', async () => {
  const counting = `
    export const install = async () => {
      globalThis.__now = (globalThis.__now ?? 0) + 1;
      globalThis.__most = Math.max(globalThis.__most ?? 0, globalThis.__now);
      await new Promise((resolve) => setTimeout(resolve, 50));
      globalThis.__now--;
      return '';
    };`;
  for (const name of ['a', 'b', 'c', 'd']) kind(name, counting);
  const { results } = await installed();
  const { availableParallelism } = await import('node:os');
  const { __most } = globalThis as unknown as { __most: number };
  expect(__most).toBe(Math.min(2, availableParallelism()));
  for (const { durationMs } of results) expect(durationMs).toBeGreaterThanOrEqual(45);
});

test('a process is run to its end, or to its time limit with what it started', async () => {
  kind(
    'a',
    `export const install = async ({ run }) => {
      const fine = await run(process.execPath, ['-e', 'console.log(1); process.exit(3)'], { timeoutMs: 20000 });
      const late = await run('sh', ['-c', 'sleep 60 & sleep 60'], { timeoutMs: 100 });
      const none = await run('no-such-program', [], { timeoutMs: 100 });
      return JSON.stringify([fine.code, fine.stdout, fine.timedOut, late.timedOut, none.missing]);
    };`,
  );
  const { results } = await installed();
  expect(JSON.parse(results[0].detail)).toEqual([3, '1\n', false, true, true]);
  expect(results[0].durationMs).toBeLessThan(20_000);
});

test('--only leaves the others alone', async () => {
  kind('a', '');
  kind('b', '');
  expect((await installed(['b'])).results).toMatchObject([{ name: 'b', state: 'installed' }]);
});

test.each([
  [['--only', 'cobol'], /^agents-install: --only cobol: not one of .*js-03.*\n$/],
  [['--what'], /^agents-install: Unknown option '--what'.*known: --only NAME, --check, --help\)\n$/],
])('%j is refused with exit code 2 and one line', (args, line) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(line);
});

test('--check only looks', async () => {
  kind('a', 'export const isCurrent = () => true;');
  kind('b', "export const toolchain = async () => ({ ok: false, reason: 'needs Go' });");
  kind('c', "export const install = async () => { throw new Error('installed'); };");
  const lines: string[] = [];
  const results = await install({ root, check: true, log: (line: string) => lines.push(line) });
  expect(results.map(({ state }: { state: string }) => state)).toEqual([
    'up to date',
    'missing toolchain',
    'not installed',
  ]);
  expect(lines.sort()).toEqual(['a: up to date', 'b: missing toolchain — needs Go', 'c: not installed']);
});

test('--help says how it is used and what there is, and installs nothing', () => {
  for (const flag of ['--help', '-h']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, flag], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: npm run agents:install -- \[--only NAME\]… \[--check\]\n/);
    expect(stdout).toMatch(/\nNames: .*python-03.*guest-python-a2a/);
    expect(stdout).not.toContain('up to date —');
  }
});
