/** `Major.Minor` of a version text, as versions are compared (A2A 1.0 section 3.6); undefined for what is no version. */
export function majorMinor(version: unknown): string | undefined {
  const match =
    typeof version === 'string' ? /^(\d{1,4})\.(\d{1,4})(?:\.\d{1,6})?$/.exec(version.trim()) : null;
  return match === null ? undefined : `${Number(match[1])}.${Number(match[2])}`;
}
