/**
 * A glob over ids: `*` stands for any run of characters (also `/`), `?` for one, `{one,other}` for either; everything
 * else is itself.
 */
export function globMatches(glob: string, value: string): boolean {
  const pattern = glob.replace(/\{[^{}]*\}|[.+^${}()|[\]\\*?]/g, (found) => {
    if (found === '*') return '.*';
    if (found === '?') return '.';
    return found.length === 1 ? `\\${found}` : `(?:${found.slice(1, -1).split(',').map(literal).join('|')})`;
  });
  return new RegExp(`^${pattern}$`, 's').test(value);
}

/** One of several: `*` and `?` mean there what they mean outside. */
const literal = (text: string): string =>
  text.replace(/[.+^$()|[\]\\*?]/g, (char) => (char === '*' ? '.*' : char === '?' ? '.' : `\\${char}`));
