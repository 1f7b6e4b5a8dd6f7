import { type CellBlame, type CellResult, cellId } from '@plugfest/model';
import { expect, it } from 'vitest';
import { blameOf } from './blame.ts';

const cell = (scenario: string, blame?: Partial<CellBlame>): CellResult => ({
  id: cellId(`a>b/GRPC/1.0/${scenario}`),
  client: 'a',
  server: 'b',
  binding: 'GRPC',
  version: '1.0',
  scenario,
  outcome: 'failed',
  checks: [],
  durationMs: 1,
  exchanges: [],
  ...(blame === undefined
    ? {}
    : {
        blame: {
          ambiguity: blame.party === undefined,
          clientCell: cellId(`a>ref/GRPC/1.0/${scenario}`),
          serverCell: cellId(`plugfest>b/GRPC/1.0/${scenario}`),
          ...blame,
        },
      }),
});

it('groups failed cells by who is to blame, with the cell that shows it', () => {
  const told = blameOf([
    cell('one', { party: 'server' }),
    cell('two', { party: 'client' }),
    cell('three', { party: 'server' }),
    cell('four'),
    cell('five', {}),
    cell('six', { party: 'both' }),
  ]);
  expect(told.map(({ who, cells }) => [who, cells.map(({ scenario }) => scenario)])).toEqual([
    ['server b', ['one', 'three']],
    ['client a', ['two']],
    ['a and b, or the spec', ['five']],
    ['client a and server b', ['six']],
  ]);
  expect(told.map(({ why }) => why)).toEqual([
    'fails with the reference peer, too (plugfest>b/GRPC/1.0/one)',
    'fails with the reference peer, too (a>ref/GRPC/1.0/two)',
    'both work with the reference peer (a>ref/GRPC/1.0/five, plugfest>b/GRPC/1.0/five): perhaps an ambiguity',
    'both fail with the reference peer (a>ref/GRPC/1.0/six, plugfest>b/GRPC/1.0/six)',
  ]);
});
