import { expect, it } from 'vitest';
import { OpenExchange } from './open-exchange.ts';
import { OpenExchanges } from './open-exchanges.ts';

const exchange = (seq: number): OpenExchange =>
  new OpenExchange([seq], { target: '/', headers: [], imported: false }, false);

it('exchanges come and go, and are told in the order in which they came', () => {
  const open = new OpenExchanges();
  for (const seq of [1, 2, 3]) open.add(`x${seq}`, exchange(seq));
  open.delete('x2');
  open.delete('x2');
  open.add('x4', exchange(4));
  open.add('x5', exchange(5));
  expect([...open].map(({ seq }) => seq)).toEqual([1, 3, 4, 5]);
  expect(open.has('x2')).toBe(false);
  expect(open.get('x2')).toBeUndefined();
  expect(open.get('x4')?.seq).toBe(4);
  open.delete('x1');
  open.add('x2', exchange(6));
  expect(open.get('x2')?.seq).toBe(6);
  expect([...open].map(({ seq }) => seq)).toEqual([3, 4, 5, 6]);
});
