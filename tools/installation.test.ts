import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, since it runs before anything is installed
import { isInstalled } from './installation.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plugfest-installation-'));
  mkdirSync(join(root, 'node_modules'));
});

afterEach(() => rmSync(root, { recursive: true }));

const express = { version: '5.2.1', integrity: 'sha512-a' };
const elsewhere = { version: '1.0.0', integrity: 'sha512-b', optional: true };

/** Whether all of `wanted` is installed where npm's record says that `there` is; undefined: there is no record. */
function installed(wanted: object, there: object | undefined): boolean {
  const lock = { '': { name: 'root' }, 'packages/cli': { name: '@x/cli', version: '0.1.0' }, ...wanted };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: lock }));
  const record = join(root, 'node_modules', '.package-lock.json');
  if (there !== undefined) writeFileSync(record, JSON.stringify({ packages: there }));
  return isInstalled(root);
}

it('takes what npm has installed for installed, whoever ran it', () => {
  expect(installed({ 'node_modules/express': express }, { 'node_modules/express': express })).toBe(true);
});

it('misses nothing that is for another platform', () => {
  const wanted = { 'node_modules/express': express, 'node_modules/for-windows': elsewhere };
  expect(installed(wanted, { 'node_modules/express': express })).toBe(true);
});

it('installs what is not there, or is there in another version or with other content', () => {
  const wanted = { 'node_modules/express': express };
  expect(installed(wanted, undefined)).toBe(false);
  expect(installed(wanted, {})).toBe(false);
  expect(installed(wanted, { 'node_modules/express': { ...express, version: '5.2.0' } })).toBe(false);
  expect(installed(wanted, { 'node_modules/express': { ...express, integrity: 'sha512-c' } })).toBe(false);
  const optional = { 'node_modules/for-windows': elsewhere };
  expect(installed(optional, { 'node_modules/for-windows': { ...elsewhere, version: '0.9.0' } })).toBe(false);
});

it('installs anew where the record cannot be read', () => {
  installed({ 'node_modules/express': express }, {});
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{"packages":');
  expect(isInstalled(root)).toBe(false);
});
