import type { Change, EdgeId, EndKind, ExchangeId, RawHeaders } from '@plugfest/model';
import { absent, code, type PackedBatch, type Stamp, type StampedEvent, sides } from './format.ts';

/** Gives batches their events back. Equal lists are the same array, as long as their definition lives. */
export class Unpacker {
  #texts: string[] = [];
  #headers: RawHeaders[] = [];
  #changes: (readonly Change[])[] = [];
  #words = new Float64Array();
  #at = 0;
  #strings: readonly (string | null)[] = [];
  #string = 0;

  unpack({ buffer, words, strings }: PackedBatch): StampedEvent[] {
    this.#words = new Float64Array(buffer, 0, words);
    this.#at = 0;
    this.#strings = strings;
    this.#string = 0;
    const events: StampedEvent[] = [];
    while (this.#at < words) {
      const event = this.#record(this.#next(), buffer);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  /** The event of a record; none for a definition. Members are evaluated in the order in which they were packed. */
  #record(kind: number, buffer: ArrayBuffer): StampedEvent | undefined {
    switch (kind) {
      case code.text:
        this.#texts.push(this.#nextString());
        return undefined;
      case code.headers:
        this.#headers.push(this.#nextStrings(this.#next()) as string[]);
        return undefined;
      case code.changes:
        this.#changes.push(changesOf(this.#nextStrings(this.#next())));
        return undefined;
      case code.forget:
        this.#texts = [];
        this.#headers = [];
        this.#changes = [];
        return undefined;
      case code.requestHead:
        return {
          kind: 'request-head',
          seq: this.#next(),
          atNs: this.#next(),
          exchange: this.#text() as ExchangeId,
          edge: this.#text() as EdgeId,
          cell: this.#optional(),
          purpose: this.#optional(),
          connection: this.#optional(),
          method: this.#text(),
          target: this.#text(),
          httpVersion: this.#text(),
          headers: this.#list(this.#headers) ?? [],
          forwardedHeaders: this.#list(this.#headers),
          changes: this.#list(this.#changes),
          losses: this.#next(),
        };
      case code.chunk: {
        const { seq, atNs } = this.#stamp();
        const exchange = this.#text() as ExchangeId;
        const side = sides[this.#next()] ?? 'request';
        const [offset, size] = [this.#next(), this.#next()];
        const bytes = offset === absent ? undefined : Buffer.from(buffer, offset, size);
        return { kind: 'chunk', seq, atNs, exchange, side, size, bytes };
      }
      case code.bodyEnd:
        return {
          kind: 'body-end',
          seq: this.#next(),
          atNs: this.#next(),
          exchange: this.#text() as ExchangeId,
          side: sides[this.#next()] ?? 'request',
        };
      case code.responseHead:
        return {
          kind: 'response-head',
          seq: this.#next(),
          atNs: this.#next(),
          exchange: this.#text() as ExchangeId,
          status: this.#next(),
          reason: this.#optional(),
          httpVersion: this.#text(),
          headers: this.#list(this.#headers) ?? [],
          forwardedHeaders: this.#list(this.#headers),
          changes: this.#list(this.#changes),
        };
      case code.end:
        return {
          kind: 'end',
          seq: this.#next(),
          atNs: this.#next(),
          exchange: this.#text() as ExchangeId,
          end: this.#text() as Exclude<EndKind, 'open'>,
          detail: this.#optional(),
        };
      case code.other:
        return JSON.parse(this.#nextString()) as StampedEvent;
      default:
        throw new Error(`record of unknown kind ${kind}`);
    }
  }

  #next(): number {
    return this.#words[this.#at++] ?? Number.NaN;
  }

  #stamp(): Stamp {
    return { seq: this.#next(), atNs: this.#next() };
  }

  #text(): string {
    return this.#texts[this.#next()] ?? '';
  }

  #optional(): string | undefined {
    const number = this.#next();
    return number === absent ? undefined : this.#texts[number];
  }

  #list<List>(lists: readonly List[]): List | undefined {
    const number = this.#next();
    return number === absent ? undefined : lists[number];
  }

  #nextString(): string {
    return this.#strings[this.#string++] ?? '';
  }

  #nextStrings(count: number): readonly (string | null)[] {
    const from = this.#string;
    this.#string += count;
    return this.#strings.slice(from, this.#string);
  }
}

function changesOf(strings: readonly (string | null)[]): readonly Change[] {
  const changes: Change[] = [];
  for (let i = 0; i < strings.length; i += 6) {
    const [side, place, where, before, after, reason] = strings.slice(i, i + 6);
    changes.push({
      side: side as Change['side'],
      place: place as Change['place'],
      ...(where == null ? {} : { where }),
      ...(before == null ? {} : { before }),
      ...(after == null ? {} : { after }),
      reason: reason ?? '',
    });
  }
  return changes;
}
