import type { Message } from '@a2a-js/sdk';

/** What a caller asks for does not fit; the text goes to the caller. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

export type Fields = Readonly<Record<string, unknown>>;

/** The object of the message's data parts, taken together; undefined where it has none. */
export function fieldsOf(message: Message): Fields | undefined {
  const objects = message.parts.flatMap(({ content }) => {
    const value: unknown = content?.$case === 'data' ? content.value : undefined;
    return isObject(value) ? [value] : [];
  });
  return objects.length === 0 ? undefined : Object.assign({}, ...objects);
}

/**
 * An agent is told what it needs to know and nothing else: a further field is refused, so that whoever passes on more than
 * that is found out.
 */
export function requireOnly(fields: Fields, names: readonly string[]): void {
  const missing = names.filter((name) => !(name in fields));
  const further = Object.keys(fields).filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Refused(`missing: ${missing.join(', ')}`);
  if (further.length > 0) throw new Refused(`not needed here, so not to be sent: ${further.join(', ')}`);
}

export function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw new Refused(`${name} is no text`);
  return value;
}

export function number(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Refused(`${name} is no number`);
  return value;
}

/** `YYYY-MM-DD`. */
export function day(fields: Fields, name: string): string {
  const value = text(fields, name);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || Number.isNaN(Date.parse(value)))
    throw new Refused(`${name} is no date (YYYY-MM-DD)`);
  return value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
