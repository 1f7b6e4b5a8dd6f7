import type { RawHeaders } from './capture.ts';

/** Names in lower case, of lists that are never changed. */
const lowerNames = new WeakMap<RawHeaders, readonly string[]>();

const none: readonly string[] = [];

/** The two lists that were asked about last: those of a request and its response are asked about in turns. */
let lastList: RawHeaders | undefined;
let lastNames: readonly string[] = none;
let listBefore: RawHeaders | undefined;
let namesBefore: readonly string[] = none;

/** To be told of lists that many exchanges share and nobody ever changes: their names are worked out once. */
export function shareHeaders(headers: RawHeaders): void {
  lowerNames.set(headers, namesIn(headers));
}

function namesOf(headers: RawHeaders): readonly string[] {
  if (headers === lastList) return lastNames;
  const known = headers === listBefore ? namesBefore : lowerNames.get(headers);
  // A proxy edits lists in place.
  if (known === undefined) return namesIn(headers);
  listBefore = lastList;
  namesBefore = lastNames;
  lastList = headers;
  lastNames = known;
  return known;
}

function namesIn(headers: RawHeaders): readonly string[] {
  const names: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) names.push(headers[i]?.toLowerCase() ?? '');
  return names;
}

/** First value of a header, names compared without case; undefined where absent. */
export function header(headers: RawHeaders, name: string): string | undefined {
  const at = namesOf(headers).indexOf(name.toLowerCase());
  return at === -1 ? undefined : headers[2 * at + 1];
}

/** Every value of a header, in wire order. */
export function headerValues(headers: RawHeaders, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  const names = namesOf(headers);
  let at = names.indexOf(wanted);
  if (at === -1) return none;
  const values: string[] = [];
  for (; at !== -1; at = names.indexOf(wanted, at + 1)) {
    const value = headers[2 * at + 1];
    if (value !== undefined) values.push(value);
  }
  return values;
}

/** Media type of a Content-Type value: lower case, without parameters; empty where absent. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

const contentTypes = new WeakMap<RawHeaders, string>();

/** Media type of the Content-Type of a head; worked out once for lists that are shared. */
export function contentType(headers: RawHeaders): string {
  const known = contentTypes.get(headers);
  if (known !== undefined) return known;
  const type = mediaType(header(headers, 'content-type'));
  if (lowerNames.has(headers)) contentTypes.set(headers, type);
  return type;
}
