import { type CellOutcome, type CellResult, cellId } from '@plugfest/model';
import { expect, test } from 'vitest';
import { withBlame } from './blame.ts';

function cell(client: string, server: string, outcome: CellOutcome): CellResult {
  const id = cellId(`${client}>${server}/GRPC/1.0/x`);
  const about = { id, client, server, binding: 'GRPC', version: '1.0', scenario: 'x' } as const;
  return { ...about, outcome, checks: [], durationMs: 1, exchanges: [] };
}

const blame = (...cells: readonly CellResult[]) => withBlame(cells, ['ref', 'ref2'])[0]?.blame;

test.each([
  ['failed', 'ok', { party: 'client', ambiguity: false }],
  ['ok', 'timeout', { party: 'server', ambiguity: false }],
  ['failed', 'failed', { party: 'both', ambiguity: false }],
  ['ok', 'ok', { ambiguity: true }],
] as const)(
  'a failed cell whose client is %s with a reference and whose server is %s',
  (client, server, seen) => {
    expect(blame(cell('a', 'b', 'failed'), cell('a', 'ref', client), cell('plugfest', 'b', server))).toEqual({
      ...seen,
      clientCell: 'a>ref/GRPC/1.0/x',
      serverCell: 'plugfest>b/GRPC/1.0/x',
    });
  },
);

test('a scenario that is none for Plugfest takes a reference agent as the client', () => {
  expect(blame(cell('a', 'b', 'failed'), cell('a', 'ref', 'ok'), cell('ref', 'b', 'failed'))).toMatchObject({
    party: 'server',
    serverCell: 'ref>b/GRPC/1.0/x',
  });
});

test('a reference that fails with Plugfest, too, does not speak against a client', () => {
  const [failed, server] = [cell('a', 'b', 'failed'), cell('plugfest', 'b', 'ok')];
  const unsound = [cell('a', 'ref', 'failed'), cell('plugfest', 'ref', 'failed')];
  expect(blame(failed, server, ...unsound)).toBeUndefined();
  expect(blame(failed, server, ...unsound, cell('a', 'ref2', 'failed'))).toMatchObject({
    party: 'client',
    clientCell: 'a>ref2/GRPC/1.0/x',
  });
});

test('nobody is blamed where a reference is missing, undecided, or a party itself', () => {
  const failed = cell('a', 'b', 'failed');
  expect(blame(failed, cell('a', 'ref', 'ok'))).toBeUndefined();
  expect(blame(failed, cell('a', 'ref', 'unsupported'), cell('plugfest', 'b', 'ok'))).toBeUndefined();
  expect(blame(cell('ref', 'b', 'failed'), cell('plugfest', 'b', 'ok'))).toBeUndefined();
  expect(
    blame(cell('ref', 'b', 'failed'), cell('ref', 'ref2', 'ok'), cell('plugfest', 'b', 'ok')),
  ).toMatchObject({
    ambiguity: true,
  });
  expect(
    blame(cell('a', 'b', 'ok'), cell('a', 'ref', 'failed'), cell('plugfest', 'b', 'failed')),
  ).toBeUndefined();
});
