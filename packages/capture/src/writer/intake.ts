import type { Change, Edge, RawHeaders, Side } from '@plugfest/model';
import type {
  Stamp,
  StampedBodyEnd,
  StampedEnd,
  StampedEvent,
  StampedRequestHead,
  StampedResponseHead,
} from '../packed/format.ts';
import { column, type ExchangeRow, exchangeColumns } from '../schema/exchange-row.ts';
import { type BodyFilter, passThrough } from './body-filter.ts';
import { BodyIntake } from './body-intake.ts';
import { GuardedFilter, kindOf } from './guarded-filter.ts';
import { OpenExchange } from './open-exchange.ts';
import { OpenExchanges } from './open-exchanges.ts';
import type { Row } from './rows.ts';
import { StoredLists } from './stored-lists.ts';

/** What is known of a body before its first byte. */
interface BodyHead {
  readonly target: string;
  readonly headers: RawHeaders;
  readonly side: Side;
  /** It comes from an importer, not from the wire. */
  readonly imported: boolean;
  /** Its exchange had ended before: what came of it until then is not known any more. */
  readonly late?: boolean;
  /** Fields of the 101 after which it is no body of HTTP. */
  readonly switched?: RawHeaders | undefined;
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
  /** As long as it is the same, the same gives the same. */
  readonly version: number;
}

/** `--unsafe-raw`: everything is stored as it came. */
export const storeRaw: Filter = {
  target: (text) => text,
  headers: (headers) => headers,
  text: (text) => text,
  change: (change) => change,
  body: () => passThrough,
  redactions: 0,
  version: 0,
};

export interface IntakeOptions {
  readonly filter: Filter;
  readonly bodyCapBytes: number;
  /** Edges recorded before this session. */
  readonly edges: readonly Edge[];
  /** Row of an exchange that ended already, or began before this session. */
  readonly rowOf: (exchange: string) => ExchangeRow | undefined;
  /** Largest ids of the lists stored before this session. */
  readonly lastLists: { readonly headers: number; readonly changes: number };
}

const json = (headers: RawHeaders): string => JSON.stringify(headers);

/** Turns events into rows. Knows which exchanges are open, and nothing of SQLite. */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #lists: StoredLists;
  readonly #edges = new Map<string, Edge>();
  readonly #names = new Map<string, string>();
  readonly #open = new OpenExchanges();
  /** Row keys of the connections that are open. */
  readonly #connections = new Map<string, number>();
  /** Exchanges of which something was observed since the last batch. */
  #touched: OpenExchange[] = [];
  /** Rows of exchanges that ended since the last batch: the file cannot give them yet. */
  #justEnded = new Map<string, ExchangeRow>();
  #settled: readonly OpenExchange[] = [];
  #bodyRedactions = 0;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#lists = new StoredLists(options.filter, options.lastLists);
    for (const edge of options.edges) this.#edges.set(edge.id, edge);
  }

  /**
   * A name as it is stored: names come from files, too. What a name was stored as once it stays, as rows refer to each
   * other by it.
   */
  #name(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const stored = this.#options.filter.text(name);
    this.#names.set(name, stored);
    return stored;
  }

  /** Secrets replaced so far. */
  get redactions(): number {
    return this.#bodyRedactions + this.#options.filter.redactions + this.#lists.redactions;
  }

  /** Settles the bodies of exchanges that are still open: recording ends before they do. */
  close(rows: Row[], stamp: Stamp): void | Promise<void> {
    const waits: Promise<void>[] = [];
    for (const exchange of this.#open) {
      this.#touch(exchange);
      for (const body of Object.values(exchange.bodies)) {
        const wait = body?.finish(rows, stamp);
        if (wait !== undefined) waits.push(wait);
      }
    }
    const count = (): void => {
      for (const { bodies } of this.#open) this.#countRedactions(bodies);
    };
    if (waits.length > 0) return Promise.all(waits).then(count);
    count();
  }

  /** Adds the rows of all exchanges of which something was observed. What follows is for the next batch. */
  settle(rows: Row[]): void {
    for (const exchange of this.#touched) exchange.settle(rows);
    this.#settled = this.#touched;
    this.#touched = [];
  }

  /** What became of the rows: `stored` is false where they are lost. */
  settled(stored: boolean): void {
    for (const exchange of this.#settled) exchange.settled(stored);
    this.#settled = [];
    // Not cleared: its tables would refer to those of later batches, as `OpenExchanges` tells.
    this.#justEnded = new Map();
    if (!stored) this.#lists.forget();
  }

  /**
   * Adds the event's rows. The promise, where there is one, has to settle before the next event. What cannot be made safe
   * to store is left out, and marked: peers send what nobody thought of, and the recording has to go on.
   */
  accept(event: StampedEvent, rows: Row[]): void | Promise<void> {
    try {
      return this.#accept(event, rows);
    } catch (error) {
      const exchange = 'exchange' in event ? (event.exchange ?? null) : null;
      const detail = `a record (${event.kind}) is left out: Plugfest failed to look for secrets in it (${kindOf(error)})`;
      rows.push(['gap', [event.seq, event.atNs, 'decode', exchange, null, detail]]);
    }
  }

  #accept(event: StampedEvent, rows: Row[]): void | Promise<void> {
    const { filter } = this.#options;
    const { seq, atNs } = event;
    switch (event.kind) {
      case 'chunk':
        return this.#body(event.exchange, event.side, event, rows)?.push(event);
      case 'request-head':
        return this.#requestHead(event, rows);
      case 'response-head':
        return this.#responseHead(event, rows);
      case 'body-end':
        return this.#bodyEnd(event, rows);
      case 'end':
        return this.#end(event, rows);
      case 'body-size': {
        const { totalBytes, storedBytes } = event;
        this.#body(event.exchange, event.side, event, rows)?.resize(event, totalBytes, storedBytes);
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
        rows.push([
          'participant',
          [this.#name(name), seq, atNs, kind, about === undefined ? null : filter.text(about)],
        ]);
        return;
      }
      case 'edge': {
        const { id, caller, callee, kind, mode, upstream } = event.edge;
        this.#edges.set(id, event.edge);
        const url = upstream === undefined ? null : filter.text(upstream);
        const participants = [this.#name(caller), this.#name(callee)];
        rows.push(['edge', [this.#name(id), seq, atNs, ...participants, kind, mode, url]]);
        return;
      }
      case 'connection-open': {
        const { connection, edge, direction, remoteAddress, remotePort, localPort } = event;
        const where = [remoteAddress ?? null, remotePort ?? null, localPort ?? null];
        this.#connections.set(connection, seq);
        rows.push([
          'connection',
          [filter.text(connection), seq, atNs, this.#name(edge), direction, ...where],
        ]);
        return;
      }
      case 'connection-close': {
        const opened = this.#connections.get(event.connection);
        if (opened === undefined) return;
        this.#connections.delete(event.connection);
        const detail = event.detail === undefined ? null : filter.text(event.detail);
        rows.push(['connectionClose', [atNs, detail, opened]]);
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
        rows.push(['note', [seq, atNs, topic, filter.text(text), exchange, cell && this.#name(cell)]]);
        return;
      }
      case 'clock':
        rows.push(['clock', [seq, atNs, event.wallMs]]);
        return;
    }
  }

  #requestHead(event: StampedRequestHead, rows: Row[]): void {
    const { filter } = this.#options;
    const { seq, atNs, exchange: id, edge, cell = null, purpose = 'normal', connection = null } = event;
    const { method, httpVersion, headers, forwardedHeaders, changes, losses } = event;
    if (this.#open.has(id)) {
      rows.push(['note', [seq, atNs, 'capture', takenId(id), id, null]]);
      return;
    }
    const { caller = 'unknown', callee = 'unknown', mode } = this.#edges.get(edge) ?? {};
    const row: ExchangeRow = [
      ...[
        seq,
        id,
        atNs,
        this.#name(edge),
        this.#name(caller),
        this.#name(callee),
        cell && this.#name(cell),
        purpose,
        connection && filter.text(connection),
        filter.text(method),
        filter.target(event.target),
      ],
      ...[filter.text(httpVersion), losses],
      this.#lists.headers(headers, rows),
      forwardedHeaders === undefined ? null : this.#lists.headers(forwardedHeaders, rows),
      changes === undefined ? null : this.#lists.changes(changes, rows),
      ...nothingYet,
    ];
    const wire = { target: event.target, headers, imported: mode === 'import' };
    const exchange = new OpenExchange(row, wire, false);
    this.#open.add(id, exchange);
    this.#touch(exchange);
  }

  #responseHead(event: StampedResponseHead, rows: Row[]): void {
    const exchange = this.#find(event.exchange, event, rows);
    if (exchange === undefined) return;
    const { row } = exchange;
    const { headers, forwardedHeaders, changes } = event;
    exchange.headers.response = headers;
    exchange.changed = true;
    row[column.responseSeq] = event.seq;
    row[column.responseNs] = event.atNs;
    row[column.status] = event.status;
    row[column.reason] = event.reason === undefined ? null : this.#options.filter.text(event.reason);
    row[column.responseVersion] = event.httpVersion;
    row[column.responseHeaders] = this.#lists.headers(headers, rows);
    row[column.responseForwarded] =
      forwardedHeaders === undefined ? null : this.#lists.headers(forwardedHeaders, rows);
    row[column.responseChanges] = changes === undefined ? null : this.#lists.changes(changes, rows);
  }

  #bodyEnd(event: StampedBodyEnd, rows: Row[]): void | Promise<void> {
    const exchange = this.#find(event.exchange, event, rows);
    if (exchange === undefined) return;
    exchange.row[event.side === 'request' ? column.requestEndedNs : column.responseEndedNs] = event.atNs;
    exchange.changed = true;
    return this.#bodyOf(exchange, event.exchange, event.side).finish(rows, event);
  }

  #end(event: StampedEnd, rows: Row[]): void | Promise<void> {
    const { seq, atNs, end, detail } = event;
    const exchange = this.#find(event.exchange, event, rows);
    if (exchange === undefined) return;
    this.#open.delete(event.exchange);
    const close = (): void => {
      this.#countRedactions(exchange.bodies);
      if (!exchange.ended) {
        const { row } = exchange;
        row[column.endSeq] = seq;
        row[column.endNs] = atNs;
        row[column.ended] = end;
        row[column.endDetail] = detail === undefined ? null : this.#options.filter.text(detail);
        exchange.changed = true;
      }
      exchange.settle(rows);
      this.#justEnded.set(event.exchange, exchange.row);
    };
    const { request, response } = exchange.bodies;
    const waits = [request?.finish(rows, event), response?.finish(rows, event)];
    if (waits.some((wait) => wait !== undefined)) return Promise.all(waits).then(close);
    close();
  }

  #countRedactions({ request, response }: OpenExchange['bodies']): void {
    this.#bodyRedactions += (request?.redactions ?? 0) + (response?.redactions ?? 0);
  }

  #body(id: string, side: Side, stamp: Stamp, rows: Row[]): BodyIntake | undefined {
    const exchange = this.#find(id, stamp, rows);
    return exchange && this.#bodyOf(exchange, id, side);
  }

  #bodyOf(exchange: OpenExchange, id: string, side: Side): BodyIntake {
    const known = exchange.bodies[side];
    if (known !== undefined) return known;
    const { filter, bodyCapBytes } = this.#options;
    const { target, imported, resumed } = exchange;
    const switched = exchange.row[column.status] === 101 ? exchange.headers.response : undefined;
    const place = { exchange: exchange.seq, exchangeId: id, side, capBytes: bodyCapBytes };
    const body = new BodyIntake(
      place,
      new GuardedFilter(
        filter.body({ target, headers: exchange.headers[side], side, imported, switched, late: resumed }),
      ),
      resumed,
    );
    exchange.bodies[side] = body;
    return body;
  }

  #touch(exchange: OpenExchange): void {
    if (exchange.touched) return;
    exchange.touched = true;
    this.#touched.push(exchange);
  }

  /** An exchange by its id, to add something to; what refers to none is noted, never thrown. */
  #find(id: string, { seq, atNs }: Stamp, rows: Row[]): OpenExchange | undefined {
    let exchange = this.#open.get(id);
    if (exchange === undefined) {
      const row = this.#justEnded.get(id) ?? this.#options.rowOf(id);
      if (row === undefined) {
        rows.push([
          'note',
          [seq, atNs, 'capture', 'record ignored: no request head has this exchange id', id, null],
        ]);
        return undefined;
      }
      exchange = OpenExchange.resume(row);
      this.#open.add(id, exchange);
    }
    this.#touch(exchange);
    return exchange;
  }
}

/** Columns of a row of which nothing is known with the request head. */
const nothingYet = new Array<null>(exchangeColumns.length - column.requestEndedNs).fill(null);

/** Says in a note why a request head is not stored. */
export const takenId = (id: string): string =>
  `request head ignored: the id ${id} is taken by an earlier exchange`;
