import { type Cell, cellId, type ExchangeSummary, exchangeId } from '@plugfest/model';
import { describe, expect, test } from 'vitest';
import type { ExpectedCell } from '../lab/lab.ts';
import { applyCellExpectations, completeRun } from '../run/complete.ts';
import { defineScenario } from './define.ts';
import { checkHops } from './hops.ts';

const scenario = defineScenario({
  id: 'push',
  title: 'Push',
  summary: 'A send and a webhook.',
  clients: 'any',
  needs: [],
  hops: [
    { from: 'client', to: 'server', operation: 'card', min: 1 },
    { from: 'client', to: 'server', operation: 'SendMessage', min: 2 },
    { from: 'server', to: 'webhook', min: 1 },
    { from: 'server', to: 'client', operation: 'SendMessage', min: 1, whenTold: true },
  ],
  run: async () => {},
});

const id = cellId('plugfest>birch/JSONRPC/1.0/push');
const cell: Cell = {
  id,
  client: 'plugfest',
  server: 'birch',
  binding: 'JSONRPC',
  version: '1.0',
  scenario: 'push',
};

function seen(members: Partial<ExchangeSummary>): ExchangeSummary {
  return {
    id: exchangeId('x'),
    seq: 1,
    cell: id,
    caller: 'plugfest',
    callee: 'birch',
    edgeKind: 'a2a',
    kind: 'operation',
    method: 'POST',
    target: '/',
    binding: 'JSONRPC',
    version: '1.0',
    startNs: 0,
    endNs: 1,
    end: 'complete',
    requestBytes: 0,
    responseBytes: 0,
    events: [],
    taskIds: [],
    contextIds: [],
    messageIds: [],
    referenceTaskIds: [],
    pushTokens: [],
    pushUrls: [],
    partDigests: [],
    ...members,
  };
}

const card = seen({ kind: 'card', method: 'GET' });
const send = seen({ operation: 'SendMessage' });
const hook = seen({ kind: 'webhook', caller: 'birch', callee: 'plugfest', edgeKind: 'webhook' });

describe('the hops of a cell', () => {
  test('are all there', () => {
    const { checks, bypass } = checkHops(cell, scenario, [card, send, send, hook]);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(checks).toHaveLength(4);
    expect(bypass).toEqual([]);
  });

  test('back from the server are due only where Plugfest told it to call', () => {
    const driven: Cell = { ...cell, client: 'amber' };
    const [theirCard, theirSend] = [card, send].map((one) => ({ ...one, caller: 'amber' }));
    const forward = [theirCard, theirSend, theirSend, hook].filter((one) => one !== undefined);
    const told = seen({ operation: 'SendMessage', caller: 'plugfest', callee: 'birch' });
    expect(checkHops(driven, scenario, forward).bypass).toEqual([]);
    expect(checkHops(driven, scenario, [...forward, told]).bypass).toMatchObject([{ method: 'hop' }]);
  });

  test('that have no traffic went past the proxy', () => {
    expect(checkHops(cell, scenario, [card, send, send]).bypass).toEqual([
      {
        agent: 'birch',
        method: 'hop',
        cell: id,
        detail: 'webhook delivery from birch to the webhook: 0 of at least 1 went through the proxy.',
      },
    ]);
    const elsewhere = { ...send, cell: cellId('another') };
    expect(checkHops(cell, scenario, [card, send, elsewhere, hook]).bypass).toHaveLength(1);
  });

  test('to a webhook of an agent are no calls, and calls are no such', () => {
    const told = defineScenario({
      ...scenario,
      hops: [{ from: 'other', to: 'server', operation: 'delivery', min: 1 }],
    });
    const other = { caller: 'hotel', callee: 'birch' };
    const delivery = seen({ ...other, kind: 'webhook', edgeKind: 'webhook' });
    expect(checkHops(cell, told, [delivery]).bypass).toEqual([]);
    expect(checkHops(cell, told, [seen({ ...other, operation: 'SendMessage' }), hook]).bypass).toMatchObject([
      { detail: 'delivery from another agent to birch: 0 of at least 1 went through the proxy.' },
    ]);
  });

  test('in another dialect fail, and are no bypass', () => {
    const { checks, bypass } = checkHops(cell, scenario, [
      card,
      send,
      send,
      { ...send, version: '0.3' },
      hook,
    ]);
    expect(bypass).toEqual([]);
    expect(checks.filter(({ ok }) => !ok)).toEqual([
      {
        name: 'every call from plugfest to birch is JSONRPC 1.0',
        ok: false,
        detail: 'there were JSONRPC 0.3',
      },
    ]);
  });

  test('decide over a cell that went well, and only over such a one', () => {
    const result = { ...cell, outcome: 'ok', checks: [], durationMs: 1, exchanges: [] } as const;
    const run = { cells: [result], bypass: [], taskListings: [] };
    const good = completeRun(run, [scenario], [card, send, send, hook]);
    expect(good.cells[0]).toMatchObject({ outcome: 'ok', exchanges: ['x', 'x', 'x', 'x'] });
    const lacking = completeRun(run, [scenario], [card, send, send]);
    expect(lacking.cells[0]?.outcome).toBe('failed');
    expect(lacking.cells[0]?.reason).toContain('webhook delivery from birch');
    expect(lacking.bypass).toHaveLength(1);
    const failed = { ...run, cells: [{ ...result, outcome: 'failed' as const, reason: 'it broke' }] };
    expect(completeRun(failed, [scenario], [card])).toMatchObject({
      cells: [{ reason: 'it broke' }],
      bypass: [],
    });
  });
});

describe('expected failures', () => {
  const result = (scenarioId: string, outcome: 'ok' | 'failed' | 'not-run') => ({
    ...cell,
    id: cellId(`a>b/JSONRPC/1.0/${scenarioId}`),
    outcome,
    checks: [],
    durationMs: 1,
    exchanges: [],
  });

  test('are marked with their reason; one that does not happen is stale', () => {
    const { cells, stale } = applyCellExpectations(
      [result('push', 'failed'), result('stream', 'ok')],
      [
        { cell: '*/push', reason: 'known' },
        { cell: '*/stream', reason: 'was broken' },
        { cell: '*/stream', sometimes: true, reason: 'now and then' },
        { cell: 'no>body/*', sometimes: true, reason: 'gone' },
      ],
      { partial: false },
    );
    expect(cells.map(({ expectedBecause }) => expectedBecause)).toEqual(['known', undefined]);
    expect(stale.map(({ reason }) => reason)).toEqual(['was broken', 'gone']);
  });

  test('are not stale because their cells were left out', () => {
    const expected = [{ cell: '*/push', reason: 'known' }];
    expect(applyCellExpectations([result('push', 'not-run')], expected, { partial: true }).stale).toEqual([]);
    expect(applyCellExpectations([result('push', 'ok')], expected, { partial: true }).stale).toHaveLength(1);
  });

  test('says of an expectation that names what worked that it is too broad', () => {
    const cells = [result('push', 'failed'), result('stream', 'ok'), result('cancel', 'not-run')];
    const broadOf = (...expected: readonly ExpectedCell[]) =>
      applyCellExpectations(cells, expected, { partial: false }).broad;
    const [failed, worked] = cells.map(({ id }) => id);
    expect(broadOf({ cell: '*', reason: 'x' })).toEqual([
      `The expected failure * names a cell that worked, too, such as ${worked}: narrow it.`,
    ]);
    expect(broadOf({ cell: failed ?? '', reason: 'x' })).toEqual([]);
    expect(broadOf({ cell: '*', except: worked, reason: 'x' })).toEqual([]);
    const { cells: marked, stale } = applyCellExpectations(
      cells,
      [{ cell: '*', except: failed, reason: 'x' }],
      {
        partial: false,
      },
    );
    expect(marked.some(({ expectedBecause }) => expectedBecause !== undefined)).toBe(false);
    expect(stale).toHaveLength(1);
    expect(broadOf({ cell: '*', reason: 'x', sometimes: true })).toEqual([]);
  });
});
