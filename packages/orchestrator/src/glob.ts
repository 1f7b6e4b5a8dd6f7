/** A glob over ids: `*` stands for any run of characters (also `/`), `?` for one; everything else is itself. */
export function globMatches(glob: string, value: string): boolean {
  const pattern = glob.replace(/[.+^${}()|[\]\\*?]/g, (char) =>
    char === '*' ? '.*' : char === '?' ? '.' : `\\${char}`,
  );
  return new RegExp(`^${pattern}$`, 's').test(value);
}
