import type { CardInterface } from '@plugfest/a2a';
import { onceForEach } from './last-exchange.ts';

/** `Major.Minor` of a version text, as versions are compared (A2A 1.0 section 3.6); undefined for what is no version. */
export function majorMinor(version: unknown): string | undefined {
  const match =
    typeof version === 'string' ? /^(\d{1,4})\.(\d{1,4})(?:\.\d{1,6})?$/.exec(version.trim()) : null;
  return match === null ? undefined : `${Number(match[1])}.${Number(match[2])}`;
}

/** Of the version that a request announces. */
export const announcedVersion = onceForEach(({ request }) => majorMinor(request.a2aVersion));

const declared = new WeakMap<CardInterface, { readonly version: string | undefined }>();

/** Of the version that a card declares for an interface. */
export function declaredVersion(entry: CardInterface): string | undefined {
  const before = declared.get(entry);
  if (before !== undefined) return before.version;
  const version = majorMinor(entry.rawVersion);
  declared.set(entry, { version });
  return version;
}
