import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('./agents-test.mjs', import.meta.url));
const run = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test.each([
  [['--only', 'cobol'], /--only cobol: not one of .*rust/],
  [['--only', 'travel-js'], /--only travel-js: not one of/],
  [['--within', 'soon'], /--within soon: not a number of seconds/],
  [['--within', '0'], /--within 0: not a number of seconds/],
  [['--faster'], /--faster.*known: --only NAME, --within SECONDS/],
])('%j is refused with one line, before anything is installed', (args, message) => {
  const { status, stdout, stderr } = run(...args);
  expect([status, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
  expect(stderr).toMatch(message);
});

test('--help names the agents that the contract is for', () => {
  const { status, stdout } = run('--help');
  expect(status).toBe(0);
  expect(stdout).toMatch(/Names: go, go-03, java, js-03, python, python-03, rust/);
});
