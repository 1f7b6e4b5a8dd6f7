import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

function run(script: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe.each([
  'test/forwarder/main.ts',
  'test/killmatrix/main.ts',
  'test/mutation/record.ts',
  'tools/generate-docs.ts',
  'tools/mutation.ts',
])('%s', (script) => {
  it('says what it takes, and does nothing else then', () => {
    const { status, stdout } = run(script, '--help');
    expect([status, stdout.split('\n').length < 12]).toEqual([0, true]);
    expect(stdout).toMatch(/^usage: npm run [a-z]+ -- /);
  });

  it('refuses what it does not take, in a line before its usage', () => {
    const { status, stdout, stderr } = run(script, '--nonsense');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^Unknown option '--nonsense'.*\n\nusage: /);
  });
});

it('mutation tests of nothing are no success', () => {
  const { status, stderr } = run('tools/mutation.ts', '--only', 'rules/nothing');
  expect([status, stderr]).toEqual([2, expect.stringContaining('no target is named rules/nothing')]);
});
