/** True for what a `Content-Type` may say: `type/subtype`, with parameters or without (RFC 9110 section 8.3.1). */
export function isMediaType(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]{1,127}\/[\w!#$%&'*+.^`|~-]{1,127}\s*(?:;.*)?$/.test(text);
}
