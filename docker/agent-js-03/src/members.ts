/** Reads the members of a drive call, which come from another process. */
export class InvalidCall extends Error {
  override readonly name = 'InvalidDriveCall';
}

/** A call that the SDK's client cannot make in the version asked for. */
export class UnsupportedByClient extends Error {
  override readonly name = 'UnsupportedByClient';
}

export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function text(members: Members, name: string): string {
  const value = optionalText(members, name);
  if (value === undefined) throw new InvalidCall(`the call has no ${name}`);
  return value;
}

export function optionalText(members: Members, name: string): string | undefined {
  return optional(members, name, 'a string', (value) => typeof value === 'string');
}

export function optionalNumber(members: Members, name: string): number | undefined {
  return optional(members, name, 'a whole number', (value) => Number.isInteger(value));
}

export function optionalBoolean(members: Members, name: string): boolean | undefined {
  return optional(members, name, 'true or false', (value) => typeof value === 'boolean');
}

export function optionalTexts(members: Members, name: string): string[] | undefined {
  return optional(
    members,
    name,
    'a list of strings',
    (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  );
}

export function optionalMembers(members: Members, name: string): Members | undefined {
  return optional(members, name, 'an object', isMembers);
}

export function optionalList(members: Members, name: string): readonly Members[] | undefined {
  return optional(
    members,
    name,
    'a list of objects',
    (value) => Array.isArray(value) && value.every(isMembers),
  );
}

function optional<T>(
  members: Members,
  name: string,
  expected: string,
  check: (value: unknown) => boolean,
): T | undefined {
  const value = members[name];
  if (value === undefined || value === null) return undefined;
  if (!check(value)) throw new InvalidCall(`${name} is not ${expected}`);
  return value as T;
}
