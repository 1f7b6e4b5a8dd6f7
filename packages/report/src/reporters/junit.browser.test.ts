import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { cleanRun, emptyRun, hostileStrings, runMadeOf, sampleRun } from '../fixtures/sample-run.ts';
import junit from './junit.ts';

// Needs `xmllint` (Debian: libxml2-utils), as the browser tests need a browser.
const schema = fileURLToPath(new URL('../fixtures/junit.xsd', import.meta.url));

function validate(document: string): string {
  const { status, stderr, error } = spawnSync('xmllint', ['--noout', '--huge', '--schema', schema, '-'], {
    input: document,
    encoding: 'utf8',
  });
  if (error) throw error;
  return status === 0 ? 'valid' : stderr;
}

it.each(
  [sampleRun(), emptyRun(), cleanRun(), ...hostileStrings.map((text) => runMadeOf(() => text))].map(
    (run) => [run] as const,
  ),
)('is valid against junit.xsd (%#)', (run) => {
  expect(validate(junit.render(run))).toBe('valid');
  expect(validate(junit.renderVerdict?.({ verdict: run.verdict, rules: run.rules }) ?? '')).toBe('valid');
});

it('would notice an invalid document', () => {
  expect(validate(junit.render(sampleRun()).replace('<properties>', '<wrong/><properties>'))).toMatch(
    /not expected/,
  );
});
