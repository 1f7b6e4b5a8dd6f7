import { createHmac, randomBytes } from 'node:crypto';

const form = /^‹hmac:[0-9a-f]{20}›$/;

/** True for a token: what was redacted once stays as it is. */
export const isToken = (text: string): boolean => text.startsWith('‹') && form.test(text);

/** Distinct secrets remembered with their token, so that a header sent with every request is hashed once. */
const cached = 1024;

/**
 * Makes the tokens of one session. The key is random, stays in this thread and is never stored: a token tells nothing
 * about its secret, except that the same secret gives the same token within the session.
 */
export class Tokens {
  readonly #key = randomBytes(32);
  readonly #tokens = new Map<string, string>();

  of(secret: string): string {
    const known = this.#tokens.get(secret);
    if (known !== undefined) return known;
    const token = `‹hmac:${this.#digest(secret).slice(0, 20)}›`;
    if (this.#tokens.size >= cached) this.#tokens.clear();
    this.#tokens.set(secret, token);
    return token;
  }

  /** For a number: other digits, so that it stays a number. */
  ofNumber(digits: string): string {
    return String((Number.parseInt(this.#digest(digits).slice(0, 12), 16) % 9e9) + 1e9);
  }

  /** For a place whose length is fixed: as many bytes of ASCII. */
  ofLength(secret: string, bytes: number): string {
    return `hmac:${this.#digest(secret)}`.padEnd(bytes, '.').slice(0, bytes);
  }

  #digest(secret: string): string {
    return createHmac('sha256', this.#key).update(secret).digest('hex');
  }
}
