export type SqlValue = string | number | Uint8Array | null;

/** A row of `exchanges` while its exchange is open, in the order of the columns. */
export type ExchangeRow = SqlValue[];

const head = [
  ...['seq', 'id', 'at_ns', 'edge', 'caller', 'callee', 'cell', 'purpose', 'connection', 'method', 'target'],
  ...['http_version', 'synthetic', 'request_headers', 'request_forwarded', 'request_changes'],
];
/** What is observed after the request head. */
const later = [
  ...['request_ended_ns', 'response_seq', 'response_ns', 'status', 'reason', 'response_version'],
  ...['response_headers', 'response_forwarded', 'response_changes', 'response_ended_ns'],
  ...['end_seq', 'end_ns', 'ended', 'end_detail'],
];
const requestBody = ['request_body_seq', 'request_body_ns', 'request_body_size', 'request_body'];
const responseBody = ['response_body_seq', 'response_body_ns', 'response_body_size', 'response_body'];

/** The columns of `exchanges`, in the order of the schema. */
export const exchangeColumns: readonly string[] = [...head, ...later, ...requestBody, ...responseBody];

/** Where a value stands in a row. `requestBody` and `responseBody` are the first of four. */
export const column = {
  seq: 0,
  id: 1,
  atNs: 2,
  edge: 3,
  caller: 4,
  callee: 5,
  cell: 6,
  purpose: 7,
  connection: 8,
  method: 9,
  target: 10,
  httpVersion: 11,
  synthetic: 12,
  requestHeaders: 13,
  requestForwarded: 14,
  requestChanges: 15,
  requestEndedNs: 16,
  responseSeq: 17,
  responseNs: 18,
  status: 19,
  reason: 20,
  responseVersion: 21,
  responseHeaders: 22,
  responseForwarded: 23,
  responseChanges: 24,
  responseEndedNs: 25,
  endSeq: 26,
  endNs: 27,
  ended: 28,
  endDetail: 29,
  requestBody: 30,
  responseBody: 34,
} as const;

export const insertExchange = `INSERT OR IGNORE INTO exchanges (${exchangeColumns.join(', ')})
  VALUES (${exchangeColumns.map(() => '?').join(', ')})`;

/** Completes a row. A body that is in the row already stays. */
export const updateExchange = `UPDATE exchanges SET ${[
  ...later.map((name) => `${name} = ?`),
  ...responseBody.map((name) => `${name} = coalesce(?, ${name})`),
].join(', ')} WHERE seq = ?`;

/** What `updateExchange` binds. */
export const laterValues = (row: ExchangeRow): SqlValue[] => [
  ...row.slice(column.requestEndedNs, column.requestBody),
  ...row.slice(column.responseBody),
  row[column.seq] ?? null,
];

/** A row by its id, without the bodies in it. */
export const selectExchange = `SELECT ${[...head, ...later].join(', ')} FROM exchanges WHERE id = ?`;

/** Takes a body out of a row; undefined where there is none. */
export function takeBody(
  row: ExchangeRow,
  side: 'request' | 'response',
): { readonly seq: number; readonly atNs: number; readonly size: number } | undefined {
  const at = side === 'request' ? column.requestBody : column.responseBody;
  const seq = row[at];
  if (typeof seq !== 'number') return undefined;
  const [atNs, size] = [Number(row[at + 1]), Number(row[at + 2])];
  row.fill(null, at, at + 4);
  return { seq, atNs, size };
}
