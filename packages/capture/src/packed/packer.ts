import type { CaptureEvent } from '@plugfest/model';
import { lossBits } from '../losses.ts';
import type { Batch } from './batch.ts';
import { absent, code, type OtherEvent, type Stamp } from './format.ts';
import { Vocabulary } from './vocabulary.ts';

type Chunk = Extract<CaptureEvent, { readonly kind: 'chunk' }>;

/** Turns events into the records of a batch, which has to have room. An event that cannot be packed leaves no trace. */
export class Packer {
  readonly #vocabulary = new Vocabulary();

  /** `stored` is false where the payload is dropped. */
  chunk(batch: Batch, { exchange, side, bytes }: Chunk, seq: number, atNs: number, stored: boolean): void {
    this.#vocabulary.tidy(batch);
    const id = this.#vocabulary.text(exchange, batch);
    const offset = stored ? batch.copy(bytes) : absent;
    batch.word(code.chunk);
    batch.word(seq);
    batch.word(atNs);
    batch.word(id);
    batch.word(side === 'request' ? 0 : 1);
    batch.word(offset);
    batch.word(bytes.byteLength);
  }

  event(batch: Batch, event: Exclude<CaptureEvent, Chunk>, seq: number, atNs: number): void {
    const vocabulary = this.#vocabulary;
    vocabulary.tidy(batch);
    switch (event.kind) {
      case 'request-head': {
        const headers = vocabulary.headers(event.headers, batch);
        const forwarded = vocabulary.headers(event.forwardedHeaders, batch);
        const changes = vocabulary.changes(event.changes, batch);
        const id = vocabulary.text(event.exchange, batch);
        const edge = vocabulary.text(event.edge, batch);
        const cell = vocabulary.text(event.cell, batch);
        const purpose = vocabulary.text(event.purpose, batch);
        const connection = vocabulary.text(event.connection, batch);
        const method = vocabulary.text(event.method, batch);
        const target = vocabulary.text(event.target, batch);
        const version = vocabulary.text(event.httpVersion, batch);
        batch.word(code.requestHead);
        batch.word(seq);
        batch.word(atNs);
        batch.word(id);
        batch.word(edge);
        batch.word(cell);
        batch.word(purpose);
        batch.word(connection);
        batch.word(method);
        batch.word(target);
        batch.word(version);
        batch.word(headers);
        batch.word(forwarded);
        batch.word(changes);
        batch.word(lossBits(event));
        return;
      }
      case 'response-head': {
        const headers = vocabulary.headers(event.headers, batch);
        const forwarded = vocabulary.headers(event.forwardedHeaders, batch);
        const changes = vocabulary.changes(event.changes, batch);
        const id = vocabulary.text(event.exchange, batch);
        const reason = vocabulary.text(event.reason, batch);
        const version = vocabulary.text(event.httpVersion, batch);
        batch.word(code.responseHead);
        batch.word(seq);
        batch.word(atNs);
        batch.word(id);
        batch.word(event.status);
        batch.word(reason);
        batch.word(version);
        batch.word(headers);
        batch.word(forwarded);
        batch.word(changes);
        return;
      }
      case 'body-end': {
        const id = vocabulary.text(event.exchange, batch);
        batch.word(code.bodyEnd);
        batch.word(seq);
        batch.word(atNs);
        batch.word(id);
        batch.word(event.side === 'request' ? 0 : 1);
        return;
      }
      case 'end': {
        const id = vocabulary.text(event.exchange, batch);
        const end = vocabulary.text(event.end, batch);
        const detail = vocabulary.text(event.detail, batch);
        batch.word(code.end);
        batch.word(seq);
        batch.word(atNs);
        batch.word(id);
        batch.word(end);
        batch.word(detail);
        return;
      }
      default:
        this.other(batch, event, { seq, atNs });
    }
  }

  other(batch: Batch, event: OtherEvent, { seq, atNs }: Stamp): void {
    const json = JSON.stringify({ ...event, seq, atNs });
    batch.word(code.other);
    batch.string(json);
  }
}
