const alphabet = /^[A-Za-z0-9_-]*$/;

/** The bytes of unpadded base64url (RFC 7515 section 2); undefined for anything else. */
export function fromBase64url(text: string): Buffer | undefined {
  // A remainder of one character cannot stand for a byte.
  if (!alphabet.test(text) || text.length % 4 === 1) return undefined;
  return Buffer.from(text, 'base64url');
}

export const toBase64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');
