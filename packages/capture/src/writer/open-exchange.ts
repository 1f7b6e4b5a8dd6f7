import type { RawHeaders, Side } from '@plugfest/model';
import { column, type ExchangeRow, takeBody } from '../schema/exchange-row.ts';
import type { BodyIntake } from './body-intake.ts';
import type { Row } from './rows.ts';

/** An exchange that may still see events, with its row. */
export class OpenExchange {
  readonly row: ExchangeRow;
  /** As received; redaction of a body looks at them. */
  readonly target: string;
  readonly headers: { request: RawHeaders; response: RawHeaders };
  /** It comes from an importer, not from the wire. */
  readonly imported: boolean;
  /** It was read back from the file. */
  readonly resumed: boolean;
  readonly bodies: { request: BodyIntake | undefined; response: BodyIntake | undefined } = {
    request: undefined,
    response: undefined,
  };
  /** The file has its row. */
  stored: boolean;
  /** The row has values that the file has not. */
  changed: boolean;
  /** It is among those to be settled. */
  touched = false;

  constructor(
    row: ExchangeRow,
    wire: { readonly target: string; readonly headers: RawHeaders; readonly imported: boolean },
    resumed: boolean,
  ) {
    this.row = row;
    this.target = wire.target;
    this.headers = { request: wire.headers, response: [] };
    this.imported = wire.imported;
    this.resumed = resumed;
    this.stored = resumed;
    this.changed = !resumed;
  }

  /** One that ended already, or before this session. Bodies that are in its row are left alone. */
  static resume(row: ExchangeRow): OpenExchange {
    const bare = [...row];
    bare.fill(null, column.requestBody);
    return new OpenExchange(bare, { target: '', headers: [], imported: false }, true);
  }

  get seq(): number {
    return Number(this.row[column.seq]);
  }

  get ended(): boolean {
    return this.row[column.endSeq] !== null;
  }

  /**
   * Adds the rows of what was observed since the last time. A small whole body goes into the exchange's own row, but
   * only when that is written for the first time, or the last.
   */
  settle(rows: Row[]): void {
    this.touched = false;
    if (!this.stored) this.#embed('request');
    if (this.ended && !this.resumed) this.#embed('response');
    this.bodies.request?.settle(rows);
    this.bodies.response?.settle(rows);
    if (this.stored && !this.changed) return;
    rows.push([this.stored ? 'exchangeLater' : 'exchange', this.row]);
    this.stored = true;
    this.changed = false;
  }

  /** The rows are in the file, or else lost: the batch's bytes are no longer needed. */
  settled(stored: boolean): void {
    takeBody(this.row, 'request');
    takeBody(this.row, 'response');
    if (!stored && !this.resumed) this.stored = false;
    if (!stored) this.changed = true;
  }

  #embed(side: Side): void {
    const whole = this.bodies[side]?.takeWhole();
    if (whole === undefined) return;
    const at = side === 'request' ? column.requestBody : column.responseBody;
    this.row[at] = whole.seq;
    this.row[at + 1] = whole.atNs;
    this.row[at + 2] = whole.size;
    this.row[at + 3] = whole.bytes;
  }
}
