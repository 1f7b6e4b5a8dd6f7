import type { Json } from '@plugfest/model';

const longest = 200;

/** A value from the wire as it may stand in a report: one line, bounded, no control or bidi characters. */
export function shown(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value);
  const plain = text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
  return plain.length <= longest ? plain : `${plain.slice(0, longest)}… (${plain.length} characters)`;
}

/** Fills the `{name}` places of a message. */
export function fillIn(template: string, data: Readonly<Record<string, Json | undefined>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) => (name in data ? shown(data[name]) : place));
}
