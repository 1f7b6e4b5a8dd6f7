import type { RawHeaders } from './capture.ts';

/** First value of a header, names compared without case; undefined where absent. */
export function header(headers: RawHeaders, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() === wanted) return headers[i + 1];
  }
  return undefined;
}

/** Every value of a header, in wire order. */
export function headerValues(headers: RawHeaders, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const value = headers[i + 1];
    if (value !== undefined && headers[i]?.toLowerCase() === wanted) values.push(value);
  }
  return values;
}

/** Media type of a Content-Type value: lower case, without parameters; empty where absent. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
