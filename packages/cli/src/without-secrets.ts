import { isPlugfestError, PlugfestError } from '@plugfest/model';

/** A copy of plain data in which every text went through `redact`. */
export function withoutSecrets<Data>(data: Data, redact: (text: string) => string): Data {
  if (typeof data === 'string') return redact(data) as Data;
  if (Array.isArray(data)) return data.map((each: unknown) => withoutSecrets(each, redact)) as Data;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, withoutSecrets(value, redact)]),
  ) as Data;
}

/** The error with its texts redacted, and without its cause, which has them once more; one that is none of ours stays. */
export function errorWithoutSecrets(problem: unknown, redact: (text: string) => string): unknown {
  if (!isPlugfestError(problem)) return problem;
  const { code, message, hint } = problem;
  return new PlugfestError(code, redact(message), hint === undefined ? {} : { hint: redact(hint) });
}
