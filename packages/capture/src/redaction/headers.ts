import type { RawHeaders } from '@plugfest/model';
import { splitScheme } from './names.ts';
import type { Secrets } from './scanner.ts';
import { redactText } from './text.ts';
import { isToken } from './tokens.ts';

/** Header secrets shorter than this are not searched for elsewhere: they are too much like ordinary words. */
const rememberFrom = 16;

/** Redacts texts that are complete: header values, targets, details. Counts what it replaced. */
export class TextRedactor {
  readonly #secrets: Secrets;
  redactions = 0;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** URLs, JSON and remembered secrets in any text. */
  text(text: string): string {
    return redactText(text, this.#secrets, (tokens) => {
      this.redactions += tokens;
    });
  }

  /** The same array where nothing is secret. */
  headers(headers: RawHeaders): RawHeaders {
    let redacted: string[] | undefined;
    for (let i = 0; i + 1 < headers.length; i += 2) {
      const value = headers[i + 1] ?? '';
      const stored = this.header(headers[i] ?? '', value);
      if (stored === value) continue;
      redacted ??= [...headers];
      redacted[i + 1] = stored;
    }
    return redacted ?? headers;
  }

  header(name: string, value: string): string {
    switch (this.#secrets.names.header(name)) {
      case 'authorization': {
        const { kept, secret } = splitScheme(value);
        return kept + this.#token(secret);
      }
      case 'cookie':
        return value
          .split(';')
          .map((pair) => this.#pair(pair))
          .join(';');
      case 'set-cookie': {
        const [pair = '', ...attributes] = value.split(';');
        return [this.#pair(pair), ...attributes].join(';');
      }
      case 'secret':
        return this.#token(value);
      case 'plain':
        return this.text(value);
    }
  }

  /** The value of a JSON member. */
  member(name: string, value: string): string {
    return this.#secrets.names.member(name) === undefined ? this.text(value) : this.#token(value);
  }

  /** `name=value` with the value replaced; without a name, all of it is the value. */
  #pair(pair: string): string {
    const [, blank = '', name = '', value = ''] = /^(\s*)([^=]*=)?([\s\S]*)$/.exec(pair) ?? [];
    return blank + name + this.#token(value);
  }

  #token(secret: string): string {
    if (secret === '' || isToken(secret)) return secret;
    this.redactions += 1;
    if (secret.length >= rememberFrom) this.#secrets.remembered.add(secret);
    return this.#secrets.tokens.of(secret);
  }
}
