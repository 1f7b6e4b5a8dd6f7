declare const brand: unique symbol;
type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** One execution of a lab, or one recording session. */
export type RunId = Branded<string, 'RunId'>;
/** A directed caller → callee pair, as recorded in `edges`. */
export type EdgeId = Branded<string, 'EdgeId'>;
/** One transport connection, as recorded in `connections`. */
export type ConnectionId = Branded<string, 'ConnectionId'>;
/** One request and its response, as recorded in `exchanges`. Unique within a capture. */
export type ExchangeId = Branded<string, 'ExchangeId'>;
/** One (client, server, binding, version, scenario) of a run. */
export type CellId = Branded<string, 'CellId'>;

export const runId = (value: string): RunId => value as RunId;
export const edgeId = (value: string): EdgeId => value as EdgeId;
export const connectionId = (value: string): ConnectionId => value as ConnectionId;
export const exchangeId = (value: string): ExchangeId => value as ExchangeId;
export const cellId = (value: string): CellId => value as CellId;

/** The last part of a cell's id, e.g. `chain` of `amber>birch/JSONRPC/1.0/chain`; undefined where there is no cell. */
export const scenarioOfCell = (cell: string | undefined): string | undefined =>
  cell?.split('/').slice(3).join('/');
