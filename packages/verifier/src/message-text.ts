import type { FindingLocation, Json } from '@plugfest/model';

const longest = 200;

/** A value from the wire as it may stand in a report: one line, bounded, no control or bidi characters. */
export function shown(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value);
  // Only the start is looked at: one value of megabytes may be shown by each of many findings.
  const plain = text
    .slice(0, longest + 1)
    .replace(
      /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
      (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    );
  return plain.length <= longest ? plain : `${plain.slice(0, longest)}… (${text.length} characters)`;
}

const longestPointer = 1000;

/**
 * Where a finding points, bounded: of a pointer with names of any length, as much as leads to a value that holds the
 * one meant.
 */
export function boundedLocation(at: FindingLocation): FindingLocation {
  const { pointer, header } = at;
  const isShort = (pointer?.length ?? 0) <= longestPointer && (header?.length ?? 0) <= longest;
  if (isShort) return at;
  return {
    ...at,
    ...(pointer === undefined ? {} : { pointer: startOf(pointer) }),
    ...(header === undefined ? {} : { header: header.slice(0, longest) }),
  };
}

const startOf = (pointer: string): string =>
  pointer.length <= longestPointer
    ? pointer
    : pointer.slice(0, Math.max(0, pointer.lastIndexOf('/', longestPointer)));

/** Fills the `{name}` places of a message. */
export function fillIn(template: string, data: Readonly<Record<string, Json | undefined>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(data, name) ? shown(data[name]) : place,
  );
}
