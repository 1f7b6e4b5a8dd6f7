import { edgeId, exchangeId } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import type { StampedEvent } from '../packed/format.ts';
import type { BodyFilter, StoredPiece } from './body-filter.ts';
import { GuardedFilter } from './guarded-filter.ts';
import { Intake, storeRaw } from './intake.ts';
import type { Row } from './rows.ts';

const secret = 'a-secret-that-is-quoted-by-an-error';

/** Fails on `bad`, and keeps `later` back until the next chunk comes. */
class Failing implements BodyFilter {
  readonly redactions = 3;
  #kept: StoredPiece[] = [];
  readonly #async: boolean;
  constructor(isAsync = false) {
    this.#async = isAsync;
  }
  push({ seq, atNs, bytes }: Parameters<BodyFilter['push']>[0]): ReturnType<BodyFilter['push']> {
    const text = Buffer.from(bytes).toString();
    if (text === 'bad' && this.#async) return Promise.reject(new RangeError(secret));
    if (text === 'bad') throw new RangeError(secret);
    const piece = { seq, atNs, size: bytes.byteLength, lost: 0, bytes };
    if (text === 'later') {
      this.#kept.push(piece);
      return [];
    }
    const given = [...this.#kept, piece];
    this.#kept = [];
    return given;
  }
  detach(): void {}
  end(): readonly StoredPiece[] {
    return this.#kept;
  }
}

const chunk = (seq: number, text: string) => ({ seq, atNs: seq * 10, bytes: Buffer.from(text) });

async function pushed(filter: BodyFilter, texts: readonly string[]): Promise<StoredPiece[]> {
  const pieces: StoredPiece[] = [];
  for (const [i, text] of texts.entries()) pieces.push(...(await filter.push(chunk(i + 1, text))));
  return [...pieces, ...(await filter.end())];
}

const told = (pieces: readonly StoredPiece[]): string[] =>
  pieces.map(({ seq, bytes, lost }) => `${seq} ${bytes === null ? `lost ${lost}` : Buffer.from(bytes)}`);

describe('a filter that fails', () => {
  for (const isAsync of [false, true])
    it(`withholds what it has not given yet, and all that follows (${isAsync ? 'later' : 'at once'})`, async () => {
      const filter = new GuardedFilter(new Failing(isAsync));
      const pieces = await pushed(filter, ['one', 'later', 'bad', 'after', 'end']);
      expect(told(pieces)).toEqual(['1 one', '2 lost 5', '3 lost 3', '4 lost 5', '5 lost 3']);
      expect(filter.withheld).toMatchObject({ seq: 2, atNs: 20, bytes: 16 });
      expect(filter.withheld?.why).toContain('RangeError');
      expect(filter.withheld?.why).not.toContain(secret);
      expect(filter.redactions).toBe(3);
    });

  it('is not there where none fails', async () => {
    const filter = new GuardedFilter(new Failing());
    expect(told(await pushed(filter, ['one', 'later', 'two', 'later']))).toEqual([
      '1 one',
      '2 later',
      '3 two',
      '4 later',
    ]);
    expect(filter.withheld).toBeUndefined();
  });

  it('withholds what follows where it fails between two batches', async () => {
    const inner = Object.assign(new Failing(), {
      detach: () => {
        throw new TypeError(secret);
      },
    });
    const filter = new GuardedFilter(inner);
    expect(told(await filter.push(chunk(1, 'one')))).toEqual(['1 one']);
    filter.detach();
    expect(told(await filter.push(chunk(2, 'two')))).toEqual(['2 lost 3']);
    expect(filter.withheld).toMatchObject({ seq: 2, bytes: 3 });
  });
});

describe('an intake whose filter fails', () => {
  const intake = (): Intake =>
    new Intake({
      filter: {
        ...storeRaw,
        text: (text) => {
          if (text.includes('bad')) throw new URIError(secret);
          return text;
        },
        body: () => new Failing(),
      },
      bodyCapBytes: 1000,
      edges: [],
      rowOf: () => undefined,
      lastLists: { headers: 0, changes: 0 },
    });

  const head = (seq: number, id: string, method: string): StampedEvent => ({
    kind: 'request-head',
    seq,
    atNs: seq,
    exchange: exchangeId(id),
    edge: edgeId('e'),
    method,
    target: '/',
    httpVersion: '1.1',
    headers: [],
    losses: 0,
    cell: undefined,
    purpose: undefined,
    connection: undefined,
    forwardedHeaders: undefined,
    changes: undefined,
  });

  it('leaves out a record, says so without quoting anything, and goes on', () => {
    const [rows, subject] = [[] as Row[], intake()];
    subject.accept({ kind: 'note', seq: 1, atNs: 1, topic: 'test', text: 'bad' }, rows);
    subject.accept(head(2, 'x1', 'bad'), rows);
    subject.accept(head(3, 'x2', 'GET'), rows);
    subject.settle(rows);
    const gaps = rows.filter(([kind]) => kind === 'gap').map(([, values]) => values);
    expect(gaps).toMatchObject([
      [1, 1, 'decode', null, null, expect.stringContaining('(note)')],
      [2, 2, 'decode', 'x1', null, expect.stringContaining('(request-head)')],
    ]);
    expect(rows.filter(([kind]) => kind === 'exchange').map(([, values]) => values[1])).toEqual(['x2']);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('marks a body that it could not read', async () => {
    const [rows, subject] = [[] as Row[], intake()];
    const exchange = exchangeId('x1');
    subject.accept(head(1, 'x1', 'POST'), rows);
    for (const [i, text] of ['one', 'bad', 'two'].entries()) {
      const bytes = Buffer.from(text);
      const piece = {
        kind: 'chunk',
        seq: i + 2,
        atNs: i,
        exchange,
        side: 'request',
        size: 3,
        bytes,
      } as const;
      await subject.accept(piece, rows);
    }
    await subject.accept({ kind: 'body-end', seq: 9, atNs: 9, exchange, side: 'request' }, rows);
    subject.settle(rows);
    const gap = rows.find(([kind]) => kind === 'gap')?.[1];
    expect(gap).toMatchObject([3, 1, 'decode', 'x1', 6, expect.stringContaining('request body: Plugfest')]);
  });
});
