import type { FindingLocation } from '@plugfest/model';

/** A stretch of a text, in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const deepest = 200;

/**
 * Where the value of a JSON pointer (RFC 6901) lies in a JSON text, or else its nearest ancestor that exists: a
 * finding about a missing member points at the object that should have had it. Undefined where the text is not
 * JSON up to that point. The first of duplicate members is taken.
 */
function pointerRange(text: string, from: number, pointer: string): Range | undefined {
  const steps = pointer === '' ? [] : pointer.slice(1).split('/');
  const path = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  let found: { readonly range: Range; readonly depth: number } | undefined;

  const space = (at: number): number => {
    let next = at;
    while (next < text.length && ' \t\n\r'.includes(text.charAt(next))) next += 1;
    return next;
  };
  const string = (at: number): number | undefined => {
    if (text.charAt(at) !== '"') return undefined;
    for (let next = at + 1; next < text.length; next += 1) {
      if (text.charAt(next) === '\\') next += 1;
      else if (text.charAt(next) === '"') return next + 1;
    }
    return undefined;
  };
  const key = (start: number, end: number): string | undefined => {
    try {
      const parsed: unknown = JSON.parse(text.slice(start, end));
      return typeof parsed === 'string' ? parsed : undefined;
    } catch {
      // A malformed key names no member.
      return undefined;
    }
  };
  /** End of the value at `at`; `matched` path steps lead to it, or -1 off the path. */
  const value = (at: number, matched: number, depth: number): number | undefined => {
    const start = space(at);
    let end: number | undefined;
    const opening = text.charAt(start);
    if (opening === '{' || opening === '[') {
      if (depth > deepest) return undefined;
      const closing = opening === '{' ? '}' : ']';
      let next = space(start + 1);
      for (let index = 0; text.charAt(next) !== closing; index += 1) {
        if (index > 0) {
          if (text.charAt(next) !== ',') return undefined;
          next = space(next + 1);
        }
        let name: string | undefined = String(index);
        if (opening === '{') {
          const keyEnd = string(next);
          if (keyEnd === undefined) return undefined;
          name = key(next, keyEnd);
          next = space(keyEnd);
          if (text.charAt(next) !== ':') return undefined;
          next += 1;
        }
        const onPath = matched >= 0 && matched < path.length && path[matched] === name;
        const valueEnd = value(next, onPath ? matched + 1 : -1, depth + 1);
        if (valueEnd === undefined) return undefined;
        next = space(valueEnd);
      }
      end = next + 1;
    } else if (opening === '"') end = string(start);
    else {
      const literal = /^(?:true|false|null|-?\d[\d.eE+-]*)/.exec(text.slice(start, start + 64));
      end = literal ? start + literal[0].length : undefined;
    }
    if (end !== undefined && matched >= 0 && matched > (found?.depth ?? -1))
      found = { range: { start, end }, depth: matched };
    return end;
  };
  value(from, 0, 0);
  return found?.range;
}

/** The data of each event of an SSE body whose data is on one line; other events as a whole. */
function sseEvents(body: string): readonly Range[] {
  const events: Range[] = [];
  let data: Range | undefined;
  for (const line of body.matchAll(/([^\n]*)(\n|$)/g)) {
    const text = line[1] ?? '';
    const start = line.index;
    if (text.startsWith('data:')) {
      const skip = text.startsWith('data: ') ? 6 : 5;
      data = { start: data?.start ?? start + skip, end: start + text.length };
    } else if (text === '' && data) {
      events.push(data);
      data = undefined;
    }
    if (line[0] === '') break;
  }
  return data ? [...events, data] : events;
}

/** How many events with data an SSE body holds. */
export const countEvents = (body: string): number => sseEvents(body.replaceAll('\r\n', '\n')).length;

/** Where in a body a finding points; undefined where it cannot be told. */
export function locateInBody(
  body: string,
  at: Pick<FindingLocation, 'event' | 'pointer'>,
): Range | undefined {
  if (at.event === undefined) return at.pointer === undefined ? undefined : pointerRange(body, 0, at.pointer);
  const isSse = /(^|\n)data:/.test(body);
  const documents = isSse
    ? sseEvents(body)
    : [...body.matchAll(/[^\n]+/g)].map((line) => ({ start: line.index, end: line.index + line[0].length }));
  const event = documents[at.event];
  if (!event) return undefined;
  const inner =
    at.pointer === undefined ? undefined : pointerRange(body.slice(event.start, event.end), 0, at.pointer);
  return inner ? { start: event.start + inner.start, end: event.start + inner.end } : event;
}

/** The line of a header field in a head; undefined where it is missing. */
export function locateInHead(head: string, header: string): Range | undefined {
  const wanted = header.toLowerCase();
  for (const line of head.matchAll(/[^\n]+/g)) {
    const colon = line[0].indexOf(':');
    if (colon > 0 && line[0].slice(0, colon).trim().toLowerCase() === wanted)
      return { start: line.index, end: line.index + line[0].length };
  }
  return undefined;
}
