/**
 * A glob over ids of rules, cells and scenarios, and over names of agents: `*` stands for any run of characters (also
 * none, and also `/`), `?` for one, `{one,other}` for either; everything else is itself, also `[`, `\` and `1..9`. Braces
 * hold no braces.
 *
 * The work is the length of the glob times that of the value, whatever they are. A regular expression would try in all
 * ways how several `*` share a value out; a shell's globs write out every combination of their braces and ranges first.
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
    if (part === '*') {
      let from = value.length;
      for (const at of places) from = Math.min(from, at);
      for (let at = from; at <= value.length; at++) ends.add(at);
    } else if (part === '?') {
      for (const at of places) if (at < value.length) ends.add(at + 1);
    } else for (const at of places) if (value.startsWith(part, at)) ends.add(at + part.length);
    places = ends;
    if (places.size === 0) break;
  }
  return places;
}
