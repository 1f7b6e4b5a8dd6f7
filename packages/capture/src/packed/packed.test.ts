import { type CaptureEvent, edgeId, exchangeId } from '@plugfest/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lossesOf } from '../losses.ts';
import { Batch } from './batch.ts';
import type { StampedEvent } from './format.ts';
import { Packer } from './packer.ts';
import { Unpacker } from './unpacker.ts';

const text = fc.string({ unit: 'binary', maxLength: 8 });
const headers = fc.array(text, { maxLength: 3 }).map((names) => names.flatMap((name) => [name, `${name}!`]));
const optional = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined });
const change = fc.record(
  {
    side: fc.constantFrom('request', 'response'),
    place: fc.constantFrom('header', 'target'),
    where: text,
    before: text,
    after: text,
    reason: text,
  },
  { requiredKeys: ['side', 'place', 'reason'] },
);
const exchange = fc.constantFrom('x1', 'x2', 'x3').map(exchangeId);
const side = fc.constantFrom('request' as const, 'response' as const);

/** As the unpacker gives them: every member is there. */
const event = fc.oneof(
  fc.record({
    kind: fc.constant('request-head' as const),
    exchange,
    edge: text.map(edgeId),
    cell: optional(text),
    purpose: optional(fc.constantFrom('normal', 'probe')),
    connection: optional(text),
    method: text,
    target: text,
    httpVersion: text,
    headers,
    forwardedHeaders: optional(headers),
    changes: optional(fc.array(change, { maxLength: 3 })),
    losses: fc.integer({ min: 0, max: 7 }),
  }),
  fc.record({
    kind: fc.constant('response-head' as const),
    exchange,
    status: fc.nat(999),
    reason: optional(text),
    httpVersion: text,
    headers,
    forwardedHeaders: optional(headers),
    changes: optional(fc.array(change, { maxLength: 3 })),
  }),
  fc.record({
    kind: fc.constant('chunk' as const),
    exchange,
    side,
    bytes: fc.uint8Array({ maxLength: 100 }),
    stored: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('body-end' as const), exchange, side }),
  fc.record({
    kind: fc.constant('end' as const),
    exchange,
    end: fc.constantFrom('complete' as const, 'reset' as const),
    detail: optional(text),
  }),
  fc.record({ kind: fc.constant('note' as const), topic: text, text }),
);

/** Packs events into batches of a few, and unpacks those as the other thread would. */
function across(events: readonly object[], perBatch: number): StampedEvent[] {
  const packer = new Packer();
  const unpacker = new Unpacker();
  const out: StampedEvent[] = [];
  for (let from = 0; from < events.length; from += perBatch) {
    const batch = new Batch(0);
    events.slice(from, from + perBatch).forEach((each, i) => {
      const { losses = 0, stored, ...rest } = each as { losses?: number; stored?: boolean };
      const given = { ...rest, ...lossesOf(losses) } as unknown as CaptureEvent;
      const [seq, atNs] = [from + i + 1, (from + i) * 1e6];
      if (given.kind === 'chunk') packer.chunk(batch, given, seq, atNs, stored === true);
      else packer.event(batch, given, seq, atNs);
    });
    out.push(...unpacker.unpack(structuredClone(batch.seal())));
  }
  return out;
}

describe('a packed batch', () => {
  it('gives back every event as it was, whatever repeats and wherever batches end', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), fc.integer({ min: 1, max: 10 }), (events, perBatch) => {
        const wanted = events.map((each, i) => {
          const stamp = { seq: i + 1, atNs: i * 1e6 };
          if (each.kind !== 'chunk') return { ...each, ...stamp };
          const { bytes, stored, ...rest } = each;
          return {
            ...rest,
            ...stamp,
            size: bytes.byteLength,
            bytes: stored ? Buffer.from(bytes) : undefined,
          };
        });
        expect(across(events, perBatch)).toEqual(wanted);
      }),
    );
  });

  it('gives equal lists as one and the same', () => {
    const head = { kind: 'response-head', status: 200, httpVersion: '1.1' } as const;
    const [a, b] = across(
      [
        { ...head, exchange: 'x1', headers: ['A', '1'] },
        { ...head, exchange: 'x2', headers: ['A', '1'] },
      ],
      1,
    );
    expect(a?.kind === 'response-head' && b?.kind === 'response-head' && a.headers === b.headers).toBe(true);
  });

  it('forgets what it has defined before that grows large, and goes on', () => {
    const events = Array.from({ length: 20_000 }, (_, i) => ({
      kind: 'body-end',
      exchange: `x${i}`,
      side: 'request',
    }));
    const ids = across(events, 500).map((each) => (each.kind === 'body-end' ? each.exchange : ''));
    expect(ids).toEqual(events.map((each) => each.exchange));
  });
});
