import http2, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';

/** Most names that one connection remembers; there are few fields that hold secrets. */
const maxNames = 256;

/**
 * Names of fields that a peer of this connection does not want in any compression table. An intermediary keeps them
 * out of its own (RFC 7541 section 7.1.3).
 */
export class NeverIndexed {
  private readonly names = new Set<string>();

  learn(headers: IncomingHttpHeaders): void {
    const names = (headers as { [http2.sensitiveHeaders]?: readonly string[] })[http2.sensitiveHeaders];
    for (const name of names ?? []) if (this.names.size < maxNames) this.names.add(name);
  }

  /** Header fields for Node.js to send, in their order. */
  list(headers: readonly string[]): string[] {
    const list = [...headers];
    return this.names.size === 0 ? list : Object.assign(list, { [http2.sensitiveHeaders]: [...this.names] });
  }

  /** The same for a Node.js that takes no list: fields of one name come together. */
  object(headers: readonly string[]): OutgoingHttpHeaders {
    const fields = headerObject(headers);
    return this.names.size === 0
      ? fields
      : Object.assign(fields, { [http2.sensitiveHeaders]: [...this.names] });
  }
}

/** The same as an object, for what Node.js does not take lists for: interim responses and trailers. */
export function headerObject(headers: readonly string[]): OutgoingHttpHeaders {
  const fields: Record<string, string | string[]> = Object.create(null);
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    const value = headers[i + 1] ?? '';
    const before = fields[name];
    if (before === undefined) fields[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else fields[name] = [before, value];
  }
  return fields;
}
