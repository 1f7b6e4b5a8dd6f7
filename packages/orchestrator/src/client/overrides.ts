import type { Overrides } from './raw-client.ts';

/** `by` goes before `headers`, whatever the case of the names; `undefined` leaves one out. */
export function overridden(headers: Readonly<Record<string, string>>, by: Overrides): Record<string, string> {
  const replaced = new Set(Object.keys(by).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  const added = Object.entries(by).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries([...kept, ...added]);
}
