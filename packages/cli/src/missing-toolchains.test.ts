import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { toolchainsMissing, toolchainsMissingBy } from './missing-toolchains.ts';

const folder = mkdtempSync(join(tmpdir(), 'plugfest-toolchains-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('what the installer says of toolchains is told by kind', async () => {
  const installer = join(folder, 'installer.mjs');
  const lines = ['go: missing toolchain — needs Go 1.24 (there is no go on PATH)', 'js-03: up to date'];
  // It is asked to look only, for these.
  const asked = "process.argv.slice(2).join(' ') === '--check --only go,js-03,rust'";
  writeFileSync(
    installer,
    `if (${asked}) console.log(${JSON.stringify(lines.join('\n'))}); process.exit(1);`,
  );
  expect(await toolchainsMissingBy(installer)(['go', 'js-03', 'rust'])).toEqual(
    new Map([['go', 'needs Go 1.24 (there is no go on PATH)']]),
  );
});

test('where there is no installer, or no such kind, nothing is said', async () => {
  expect(await toolchainsMissingBy(join(folder, 'none.mjs'))(['go'])).toEqual(new Map());
  expect(await toolchainsMissing(['no-such-kind'])).toEqual(new Map());
});
