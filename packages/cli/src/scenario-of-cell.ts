/** The last part of a cell's id, e.g. `chain` of `amber>birch/JSONRPC/1.0/chain`. */
export const scenarioOf = (cell: string | undefined): string | undefined =>
  cell?.split('/').slice(3).join('/');
