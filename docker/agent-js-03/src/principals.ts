/** Whom the agent knows: names and bearer tokens, from the environment only. */
export interface Principals {
  /** Token of each name. */
  readonly tokens: ReadonlyMap<string, string>;
  /** The name that has the token. */
  readonly nameOf: (token: string) => string | undefined;
}

/** Reads `alice=TOKEN,bob=TOKEN`. A problem is told without its token. */
export function readPrincipals(variable: string): Principals | { readonly problem: string } {
  const tokens = new Map<string, string>();
  const names = new Map<string, string>();
  for (const [index, entry] of variable.split(',').entries()) {
    if (entry.trim() === '') continue;
    // A token may hold further equals signs.
    const { name, token } = /^\s*(?<name>[^=\s]+)=(?<token>\S+)\s*$/.exec(entry)?.groups ?? {};
    if (name === undefined || token === undefined)
      return { problem: `entry ${index + 1} is not NAME=TOKEN, e.g. alice=TOKEN,bob=TOKEN` };
    if (tokens.has(name)) return { problem: `${name} is there twice` };
    const other = names.get(token);
    if (other !== undefined) return { problem: `${other} and ${name} have the same token` };
    tokens.set(name, token);
    names.set(token, name);
  }
  return { tokens, nameOf: (token) => names.get(token) };
}
