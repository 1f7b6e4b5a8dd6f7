import { printable } from '@plugfest/report';

/** A copy of plain data in which every text is printable, on one line. */
export function printableIn<Data>(data: Data): Data {
  if (typeof data === 'string') return printable(data).replace(/\s*\n\s*/g, ' ') as Data;
  if (Array.isArray(data)) return data.map((each: unknown) => printableIn(each)) as Data;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, printableIn(value)])) as Data;
}
