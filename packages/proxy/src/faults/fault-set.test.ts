import { cellId } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { FaultSet } from './fault-set.ts';
import { loadFaultKinds } from './registry.ts';

const kinds = await loadFaultKinds();

function actsAt(keys: object, caller: string, callee: string, cell?: string): boolean {
  const set = new FaultSet(kinds);
  set.put({ fault: 'latency', delayMs: 1, ...keys });
  const place = { caller, callee, kind: 'a2a', cell: cell === undefined ? undefined : cellId(cell) } as const;
  return set.at(place) !== undefined;
}

describe('a fault acts', () => {
  it('on the edges that its globs match', () => {
    expect(actsAt({ edge: 'am* -> b?rch' }, 'amber', 'birch')).toBe(true);
    expect(actsAt({ edge: 'am* -> b?rch' }, 'amber', 'beech')).toBe(false);
    expect(actsAt({ edge: 'a.b -> *' }, 'axb', 'birch')).toBe(false);
  });

  it('in the cells that its glob matches', () => {
    const cell = 'amber>birch/HTTP+JSON/1.0/cancel';
    expect(actsAt({ cell: '*/{GRPC,HTTP+JSON}/1.0/*' }, 'amber', 'birch', cell)).toBe(true);
    expect(actsAt({ cell: '*/{GRPC,JSONRPC}/1.0/*' }, 'amber', 'birch', cell)).toBe(false);
    expect(actsAt({ cell: '*' }, 'amber', 'birch')).toBe(false);
  });

  it('or does not, which a glob of many stars decides as soon', () => {
    const cell = `${'a'.repeat(200)}/JSONRPC/1.0/cancel`;
    expect(actsAt({ cell: `${'*a'.repeat(200)}#` }, 'amber', 'birch', cell)).toBe(false);
  });
});
