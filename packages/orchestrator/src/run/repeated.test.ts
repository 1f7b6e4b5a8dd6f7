import { type CellOutcome, type CellResult, cellId } from '@plugfest/model';
import { expect, test } from 'vitest';
import { repeated } from './repeated.ts';

const result = (outcome: CellOutcome, round: number): CellResult => ({
  id: cellId('a>b/JSONRPC/1.0/x'),
  client: 'a',
  server: 'b',
  binding: 'JSONRPC',
  version: '1.0',
  scenario: 'x',
  outcome,
  reason: `round ${round}`,
  checks: [],
  durationMs: 10,
  exchanges: [],
});

test('a cell that is repeated is as good as its worst run, and says how many worked', async () => {
  const outcomes: readonly CellOutcome[] = ['ok', 'failed', 'ok', 'timeout'];
  const seen = await repeated(4, async (round) => result(outcomes[round] ?? 'ok', round));
  expect(seen).toMatchObject({
    outcome: 'failed',
    reason: 'round 1',
    repeats: { ok: 2, of: 4 },
    durationMs: 40,
  });
});

test('a cell that cannot be run is not run again', async () => {
  let runs = 0;
  const seen = await repeated(3, async (round) => {
    runs += 1;
    return result('unsupported', round);
  });
  expect([runs, seen.repeats]).toEqual([1, undefined]);
});
