export type Environment = Readonly<Record<string, string | undefined>>;

export interface Substitution {
  readonly value: string;
  /** Names of variables that are not set. */
  readonly missing: readonly string[];
  /** What was put in. */
  readonly filled: readonly string[];
}

/** Replaces `${NAME}`; `$${NAME}` stays as `${NAME}`. */
export function substitute(template: string, environment: Environment): Substitution {
  const missing: string[] = [];
  const filled: string[] = [];
  const value = template.replace(
    /(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g,
    (whole, escaped: string, name: string) => {
      if (escaped) return whole.slice(1);
      const found = environment[name];
      if (found === undefined) missing.push(name);
      else filled.push(found);
      return found ?? '';
    },
  );
  return { value, missing, filled };
}
