import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { basesIn, canMake } from './base-images.ts';
import { composeLab } from './lab-files.ts';

const root = join(import.meta.dirname, '../..');
const dockerfiles = readdirSync(join(root, 'docker'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('Dockerfile') && !path.includes('node_modules'))
  .map((path) => join('docker', path));

/** A version with three numbers, or a day's build. */
const full = /:[^:]*(?:\d+\.\d+\.\d+|-\d{8}-)/;

describe.each(dockerfiles)('%s', (path) => {
  const bases = basesIn(readFileSync(join(root, path), 'utf8'));

  it('begins with images of full version tags', () => {
    expect(bases.length).toBeGreaterThan(0);
    expect(bases.filter((image) => !full.test(image))).toEqual([]);
  });

  it('begins with images that can be made where no registry has them', () => {
    expect(bases.filter((image) => !canMake(image))).toEqual([]);
  });
});

it('tells bases from stages', () => {
  const dockerfile =
    'FROM a:1 AS one\nFROM --platform=linux/amd64 b:2\nCOPY --from=one /x /x\nCOPY --from=c:3 /y /y\nFROM scratch';
  expect(basesIn(dockerfile)).toEqual(['a:1', 'b:2', 'c:3']);
});

it.each(['pair', 'mesh', 'event'])('the lab %s has a Jaeger that can be made', async (lab) => {
  const { traces } = await composeLab(join(root, 'compose'), lab);
  expect(traces).toMatchObject({ service: 'jaeger', url: 'http://127.0.0.1:16686' });
  expect(full.test(traces?.image ?? '') && canMake(traces?.image ?? '')).toBe(true);
});
