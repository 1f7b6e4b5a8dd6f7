import type { Change, Edge, RawHeaders, Side } from '@plugfest/model';
import type { Stamp, StampedChunk, StampedEvent } from '../packed.ts';
import { type BodyFilter, passThrough } from './body-filter.ts';
import { BodyIntake } from './body-intake.ts';
import type { Row } from './rows.ts';

/** What is known of a body before its first byte. */
interface BodyHead {
  readonly target: string;
  readonly headers: RawHeaders;
  readonly side: Side;
  /** It comes from an importer, not from the wire. */
  readonly imported: boolean;
}

/** What is done to everything before it reaches the disk. */
export interface Filter {
  target(text: string): string;
  headers(headers: RawHeaders): RawHeaders;
  text(text: string): string;
  change(change: Change): Change;
  body(head: BodyHead): BodyFilter;
  /** Secrets replaced so far, outside bodies. */
  readonly redactions: number;
}

/** `--unsafe-raw`: everything is stored as it came. */
export const storeRaw: Filter = {
  target: (text) => text,
  headers: (headers) => headers,
  text: (text) => text,
  change: (change) => change,
  body: () => passThrough,
  redactions: 0,
};

interface Open {
  readonly seq: number;
  readonly target: string;
  readonly imported: boolean;
  readonly heads: { request: RawHeaders; response: RawHeaders };
  readonly bodies: Partial<Record<Side, BodyIntake>>;
}

export interface IntakeOptions {
  readonly filter: Filter;
  readonly bodyCapBytes: number;
  /** Edges recorded before this session. */
  readonly edges: readonly Edge[];
  /** Row key of an exchange that ended or began before this session. */
  readonly seqOf: (exchange: string) => number | undefined;
}

const json = (headers: RawHeaders): string => JSON.stringify(headers);
const jsonOrNull = (headers: RawHeaders | undefined): string | null =>
  headers === undefined ? null : JSON.stringify(headers);

/** Turns events into rows. Knows which exchanges are open, and nothing of SQLite. */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #edges = new Map<string, Edge>();
  readonly #open = new Map<string, Open>();
  #bodyRedactions = 0;

  constructor(options: IntakeOptions) {
    this.#options = options;
    for (const edge of options.edges) this.#edges.set(edge.id, edge);
  }

  /** Secrets replaced so far. */
  get redactions(): number {
    return this.#bodyRedactions + this.#options.filter.redactions;
  }

  /** Settles the bodies of exchanges that are still open: recording ends before they do. */
  close(rows: Row[], stamp: Stamp): void | Promise<void> {
    const waits: Promise<void>[] = [];
    for (const { bodies } of this.#open.values()) {
      for (const body of Object.values(bodies)) {
        const wait = body.finish(rows, stamp, false);
        if (wait !== undefined) waits.push(wait);
        this.#bodyRedactions += body.redactions;
      }
    }
    if (waits.length > 0) return Promise.all(waits).then(() => undefined);
  }

  /** Adds the event's rows. The promise, where there is one, has to settle before the next event. */
  accept(event: StampedEvent, rows: Row[]): void | Promise<void> {
    const { filter } = this.#options;
    const { seq, atNs } = event;
    switch (event.kind) {
      case 'chunk':
        return this.#chunk(event, rows);
      case 'request-head':
        return this.#requestHead(event, rows);
      case 'body-end':
        return this.#body(event.exchange, event.side, event, rows)?.finish(rows, event, true);
      case 'end':
        return this.#end(event, rows);
      case 'response-head': {
        const exchange = this.#find(event.exchange, event, rows);
        if (exchange === undefined) return;
        const { status, reason = null, httpVersion, forwardedHeaders } = event;
        const headers = filter.headers(event.headers);
        const forwarded = forwardedHeaders && filter.headers(forwardedHeaders);
        exchange.heads.response = event.headers;
        const row = [exchange.seq, 'response', seq, atNs, status, reason, httpVersion, json(headers)];
        rows.push(['head', [...row, jsonOrNull(forwarded)]]);
        return;
      }
      case 'informational': {
        const exchange = this.#find(event.exchange, event, rows);
        if (exchange === undefined) return;
        const headers = json(filter.headers(event.headers));
        rows.push(['informational', [seq, exchange.seq, atNs, event.status, headers]]);
        return;
      }
      case 'trailers': {
        const exchange = this.#find(event.exchange, event, rows);
        if (exchange === undefined) return;
        rows.push(['trailers', [exchange.seq, event.side, seq, atNs, json(filter.headers(event.headers))]]);
        return;
      }
      case 'change': {
        const exchange = this.#find(event.exchange, event, rows);
        if (exchange === undefined) return;
        const {
          side,
          place,
          where = null,
          before = null,
          after = null,
          reason,
        } = filter.change(event.change);
        rows.push(['change', [seq, exchange.seq, atNs, side, place, where, before, after, reason]]);
        return;
      }
      case 'participant': {
        const { name, kind, about } = event.participant;
        rows.push(['participant', [name, seq, atNs, kind, about === undefined ? null : filter.text(about)]]);
        return;
      }
      case 'edge': {
        const { id, caller, callee, kind, mode, upstream } = event.edge;
        this.#edges.set(id, event.edge);
        const url = upstream === undefined ? null : filter.text(upstream);
        rows.push(['edge', [id, seq, atNs, caller, callee, kind, mode, url]]);
        return;
      }
      case 'connection-open': {
        const { connection, edge, direction, remoteAddress, remotePort, localPort } = event;
        const where = [remoteAddress ?? null, remotePort ?? null, localPort ?? null];
        rows.push(['connection', [connection, seq, atNs, edge, direction, ...where]]);
        return;
      }
      case 'connection-close': {
        const detail = event.detail === undefined ? null : filter.text(event.detail);
        rows.push(['connectionClose', [atNs, detail, event.connection]]);
        return;
      }
      case 'gap': {
        const { reason, exchange = null, lostBytes = null, detail } = event.gap;
        const words = detail === undefined ? null : filter.text(detail);
        rows.push(['gap', [seq, atNs, reason, exchange, lostBytes, words]]);
        return;
      }
      case 'note': {
        const { topic, text, exchange = null, cell = null } = event;
        rows.push(['note', [seq, atNs, topic, filter.text(text), exchange, cell]]);
        return;
      }
      case 'clock':
        rows.push(['clock', [seq, atNs, event.wallMs]]);
        return;
    }
  }

  #requestHead(event: Extract<StampedEvent, { kind: 'request-head' }>, rows: Row[]): void {
    const { filter } = this.#options;
    const { seq, atNs, exchange, edge, cell = null, purpose = 'normal', connection = null } = event;
    const { method, httpVersion, headers, forwardedHeaders, timesSynthetic } = event;
    const { caller = 'unknown', callee = 'unknown', mode } = this.#edges.get(edge) ?? {};
    this.#open.set(exchange, {
      seq,
      target: event.target,
      imported: mode === 'import',
      heads: { request: headers, response: [] },
      bodies: {},
    });
    const target = filter.target(event.target);
    const who = [exchange, atNs, edge, caller, callee, cell, purpose, connection];
    rows.push(['exchange', [seq, ...who, method, target, httpVersion, timesSynthetic ? 1 : 0]]);
    const forwarded = forwardedHeaders && filter.headers(forwardedHeaders);
    const wire = [null, null, httpVersion, json(filter.headers(headers)), jsonOrNull(forwarded)];
    rows.push(['head', [seq, 'request', seq, atNs, ...wire]]);
  }

  #chunk(event: StampedChunk, rows: Row[]): void | Promise<void> {
    return this.#body(event.exchange, event.side, event, rows)?.push(event, rows);
  }

  #end(event: Extract<StampedEvent, { kind: 'end' }>, rows: Row[]): void | Promise<void> {
    const { seq, atNs, end, detail } = event;
    const exchange = this.#find(event.exchange, event, rows);
    if (exchange === undefined) return;
    this.#open.delete(event.exchange);
    const words = detail === undefined ? null : this.#options.filter.text(detail);
    const close = (): void => {
      for (const body of Object.values(exchange.bodies)) this.#bodyRedactions += body.redactions;
      rows.push(['end', [exchange.seq, seq, atNs, end, words]]);
    };
    const waits: Promise<void>[] = [];
    for (const body of Object.values(exchange.bodies)) {
      const wait = body.finish(rows, event, false);
      if (wait !== undefined) waits.push(wait);
    }
    if (waits.length > 0) return Promise.all(waits).then(close);
    close();
  }

  #body(id: string, side: Side, stamp: Stamp, rows: Row[]): BodyIntake | undefined {
    const exchange = this.#find(id, stamp, rows);
    if (exchange === undefined) return undefined;
    let body = exchange.bodies[side];
    if (body === undefined) {
      const { filter, bodyCapBytes } = this.#options;
      const place = { exchange: exchange.seq, exchangeId: id, side, capBytes: bodyCapBytes };
      const head = {
        target: exchange.target,
        headers: exchange.heads[side],
        side,
        imported: exchange.imported,
      };
      body = new BodyIntake(place, filter.body(head));
      exchange.bodies[side] = body;
    }
    return body;
  }

  /** An exchange by its id; what refers to none is noted, never thrown. */
  #find(id: string, { seq, atNs }: Stamp, rows: Row[]): Open | undefined {
    const open = this.#open.get(id);
    if (open !== undefined) return open;
    const known = this.#options.seqOf(id);
    if (known !== undefined) {
      const late: Open = {
        seq: known,
        target: '',
        imported: false,
        heads: { request: [], response: [] },
        bodies: {},
      };
      this.#open.set(id, late);
      return late;
    }
    rows.push([
      'note',
      [seq, atNs, 'capture', 'record ignored: no request head has this exchange id', id, null],
    ]);
    return undefined;
  }
}
