/** A request target taken apart without judging it. */
export interface Target {
  /** Path without query, percent-encoding kept; `*` and authority forms stay as they are. */
  readonly path: string;
  /** Names and values in wire order, decoded as HTML forms do. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** Percent-decodes; text that is not valid percent-encoding stays as it is. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const formDecode = (text: string): string =>
  percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text);

const noQuery: Target['query'] = [];

/** Splits a request target, origin form or absolute form (RFC 9112 section 3.2). Never throws. */
export function parseTarget(target: string): Target {
  let rest = target;
  const hash = rest.indexOf('#');
  if (hash !== -1) rest = rest.slice(0, hash);
  const mark = rest.indexOf('?');
  const search = mark === -1 ? '' : rest.slice(mark + 1);
  if (mark !== -1) rest = rest.slice(0, mark);
  if (!rest.startsWith('/')) {
    const scheme = rest.indexOf('://');
    if (scheme > 0) {
      const slash = rest.indexOf('/', scheme + 3);
      rest = slash === -1 ? '/' : rest.slice(slash);
    }
  }
  if (search === '') return { path: rest, query: noQuery };
  const query: (readonly [string, string])[] = [];
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    query.push(
      equals === -1
        ? [formDecode(pair), '']
        : [formDecode(pair.slice(0, equals)), formDecode(pair.slice(equals + 1))],
    );
  }
  return { path: rest, query };
}
