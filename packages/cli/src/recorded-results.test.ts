import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCapture } from '@plugfest/capture';
import { type CellResult, cellId, runId } from '@plugfest/model';
import type { Lab } from '@plugfest/orchestrator';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordedRun, recordResult, recordStart, seedOf } from './recorded-results.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plugfest-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lab = { name: 'hotel', seed: 3 } as Lab;
const result = (scenario: string, outcome: CellResult['outcome'], reason?: string): CellResult => ({
  id: cellId(`a>b/GRPC/1.0/${scenario}`),
  client: 'a',
  server: 'b',
  binding: 'GRPC',
  version: '1.0',
  scenario,
  outcome,
  ...(reason === undefined ? {} : { reason }),
  checks: [{ name: 'it works', ok: outcome === 'ok' }],
  durationMs: 5,
  exchanges: [],
});

async function captured(...results: readonly CellResult[]): Promise<string> {
  const file = join(folder, 'x.sqlite');
  const sink = openCapture({ file, run: runId('run-1') });
  recordStart(sink, lab, 77);
  for (const each of results) recordResult(sink, each);
  await sink.close();
  return file;
}

it('gives back the cells that ended, as they ended last, and the seed', async () => {
  const file = await captured(
    result('one', 'failed', 'no answer'),
    result('two', 'not-run', 'the run was interrupted'),
    result('three', 'timeout'),
    result('one', 'ok'),
  );
  const recorded = recordedRun(file, lab);
  expect([...recorded.finished.values()]).toEqual([result('one', 'ok'), result('three', 'timeout')]);
  expect(seedOf(undefined, recorded, lab)).toBe(77);
  expect(seedOf(5, recorded, lab)).toBe(5);
  expect(seedOf(undefined, undefined, lab)).toBe(3);
});

it('refuses a run of another lab, by name', async () => {
  const file = await captured();
  expect(() => recordedRun(file, { ...lab, name: 'inn' })).toThrow(
    /holds a run of the lab hotel, not of inn/,
  );
});
