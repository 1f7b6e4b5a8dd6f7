import type { DecodedExchange } from '@plugfest/a2a';
import type { ConnectionId, Json } from '@plugfest/model';
import type { ExchangeRef } from '../subjects.ts';

/** Connections whose calls are kept; the ones that were used last. */
const keptConnections = 1024;
/** More than these are hardly ever open at once. */
const keptCalls = 256;

/** A JSON-RPC call that another one may overlap. */
export interface OpenCall {
  readonly exchange: ExchangeRef;
  readonly id: Json;
  /** When it ended; infinite where the record ended first. */
  readonly endNs: number;
}

const none: readonly OpenCall[] = [];

/** JSON-RPC calls by connection, as long as they are open. Only HTTP/2 has several on one. */
export class OpenCalls {
  readonly #byConnection = new Map<ConnectionId, readonly OpenCall[]>();

  /** The calls that the connection of an exchange had open when its request went out. */
  beside({ connection, request }: DecodedExchange['captured']): readonly OpenCall[] {
    const calls = connection === undefined ? none : (this.#byConnection.get(connection) ?? none);
    return calls.length === 0 ? none : calls.filter(({ endNs }) => endNs > request.atNs);
  }

  add({ captured, request }: DecodedExchange, exchange: ExchangeRef): void {
    const { connection, end } = captured;
    const id = request.rpc?.id;
    if (connection === undefined || id === undefined || !captured.request.httpVersion.startsWith('2')) return;
    const others = this.beside(captured);
    this.#byConnection.delete(connection);
    this.#byConnection.set(connection, [
      ...others.slice(1 - keptCalls),
      { exchange, id, endNs: end.atNs ?? Number.POSITIVE_INFINITY },
    ]);
    if (this.#byConnection.size <= keptConnections) return;
    const [oldest] = this.#byConnection.keys();
    if (oldest !== undefined) this.#byConnection.delete(oldest);
  }
}
