/**
 * A glob over ids: `*` stands for any run of characters (also `/`), `?` for one, `{one,other}` for either; everything
 * else is itself. The work is the length of the glob times that of the value: a regular expression would try in all ways
 * how several `*` share a value out.
 */
export function globMatches(glob: string, value: string): boolean {
  let ends: ReadonlySet<number> = new Set([0]);
  for (const [part] of glob.matchAll(/\{[^{}]*\}|[^{]+|\{/g)) {
    if (part.length > 1 && part.startsWith('{')) {
      const either = new Set<number>();
      for (const one of part.slice(1, -1).split(','))
        for (const end of after(ends, one, value)) either.add(end);
      ends = either;
    } else ends = after(ends, part, value);
    if (ends.size === 0) return false;
  }
  return ends.has(value.length);
}

/** Where in a value a text without braces may end that begins at one of these places. */
function after(starts: ReadonlySet<number>, text: string, value: string): ReadonlySet<number> {
  let places = starts;
  for (const [part] of text.matchAll(/[*?]|[^*?]+/g)) {
    const ends = new Set<number>();
    if (part === '*') for (let at = Math.min(...places); at <= value.length; at++) ends.add(at);
    else if (part === '?') {
      for (const at of places) if (at < value.length) ends.add(at + 1);
    } else for (const at of places) if (value.startsWith(part, at)) ends.add(at + part.length);
    places = ends;
    if (places.size === 0) break;
  }
  return places;
}
