/** One reference token of a JSON pointer, escaped (RFC 6901 section 3). */
export function pointerToken(name: string): string {
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}
