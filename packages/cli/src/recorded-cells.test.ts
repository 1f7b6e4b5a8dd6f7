import { memoryCapture } from '@plugfest/capture';
import type { CellResult } from '@plugfest/model';
import { cellId, runId } from '@plugfest/model';
import { expect, it } from 'vitest';
import { recordCells, recordedCells } from './recorded-cells.ts';

const cell = {
  id: cellId('amber>birch/HTTP+JSON/1.0/chain'),
  client: 'amber',
  server: 'birch',
  binding: 'HTTP+JSON',
  version: '1.0',
  scenario: 'chain',
  outcome: 'failed',
} as const;

it('keeps what names a cell and whether it worked, and nothing that came from an agent', () => {
  const capture = memoryCapture(runId('run-1'));
  const result: CellResult = { ...cell, reason: 'wire text', checks: [], durationMs: 3, exchanges: [] };
  recordCells(capture, [result]);
  expect(recordedCells(capture.source())).toEqual([cell]);
});

it('takes no note for a cell that is not one', () => {
  const capture = memoryCapture(runId('run-1'));
  const texts = ['', 'null', '[]', '{"id":"x"}', JSON.stringify({ ...cell, outcome: 'splendid' })];
  for (const text of texts) capture.record({ kind: 'note', topic: 'cell', text });
  capture.record({ kind: 'note', topic: 'lab', text: JSON.stringify(cell) });
  expect(recordedCells(capture.source())).toEqual([]);
});
