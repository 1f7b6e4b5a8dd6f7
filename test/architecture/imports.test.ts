import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Which package may import which: the table of the design, and nothing else. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  model: [],
  a2a: ['model'],
  capture: ['model'],
  proxy: ['model', 'a2a'],
  telemetry: ['model'],
  verifier: ['model', 'a2a'],
  rules: ['model', 'a2a', 'verifier'],
  orchestrator: ['model', 'a2a'],
  report: ['model'],
  agents: [],
  cli: ['model', 'a2a', 'capture', 'proxy', 'telemetry', 'verifier', 'rules', 'orchestrator', 'report'],
};

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => join(folder, file));
}

const importOf = /(?:from|import)\s*\(?\s*'([^']+)'/g;

describe('the rooms', () => {
  const packages = readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'package.json')),
  );

  it('are all in the table', () => {
    expect(packages.sort()).toEqual(Object.keys(allowed).sort());
  });

  for (const name of packages) {
    it(`${name} imports only what the table allows`, () => {
      const found = new Set<string>();
      for (const file of sources(join(root, 'packages', name, 'src'))) {
        for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(importOf)) {
          const [, other] = /^@plugfest\/([^/]+)/.exec(specifier) ?? [];
          if (other !== undefined && other !== name && !allowed[name]?.includes(other))
            found.add(`${file}: ${specifier}`);
        }
      }
      expect([...found]).toEqual([]);
    });
  }

  it('keep OpenTelemetry in telemetry and SQLite in capture', () => {
    const homes = { '@opentelemetry/': 'telemetry', 'better-sqlite3': 'capture' } as const;
    const found: string[] = [];
    for (const name of packages) {
      for (const file of sources(join(root, 'packages', name, 'src'))) {
        const text = readFileSync(file, 'utf8');
        for (const [library, home] of Object.entries(homes))
          if (name !== home && text.includes(`from '${library}`)) found.push(`${file}: ${library}`);
      }
    }
    expect(found).toEqual([]);
  });
});
