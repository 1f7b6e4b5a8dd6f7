import { expect, it } from 'vitest';
import { frameOf } from '../websocket/frame.ts';
import { BodyIntake } from '../writer/body-intake.ts';
import type { Row } from '../writer/rows.ts';
import { redactionFilter } from './filter.ts';

const key = Buffer.from([1, 2, 3, 4]);

it('after a chunk that was dropped, frames of a WebSocket are not guessed: what follows is withheld', () => {
  const filter = redactionFilter({});
  const switched = ['Upgrade', 'websocket'];
  const body = filter.body({ target: '/', headers: [], side: 'request', imported: false, switched });
  const place = { exchange: 1, exchangeId: 'x1', side: 'request', capBytes: 1e9 } as const;
  const intake = new BodyIntake(place, body, false);
  const chunk = (seq: number, bytes: Uint8Array | undefined) =>
    intake.push({ seq, atNs: seq, size: 50, ...(bytes === undefined ? {} : { bytes }) } as never);
  chunk(1, frameOf(1, Buffer.from('{"a":1}'), key));
  chunk(2, undefined);
  chunk(3, frameOf(1, Buffer.from('{"token":"planted-secret"}'), key));
  const rows: Row[] = [];
  intake.finish(rows, { seq: 4, atNs: 4 });
  intake.settle(rows);
  expect(rows.filter(([kind]) => kind === 'gap')).toMatchObject([
    ['gap', [3, 3, 'decode', 'x1', 32, expect.any(String)]],
  ]);
});
