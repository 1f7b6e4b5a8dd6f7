import type { RawHeaders } from '@plugfest/model';
import { splitScheme } from './names.ts';
import { rewriteTexts } from './protobuf-texts.ts';
import type { Secrets } from './scanner.ts';
import { splitSubprotocols } from './subprotocols.ts';
import { redactText } from './text.ts';
import { isToken } from './tokens.ts';
import { percentDecode } from './url-secret.ts';

/** Header secrets shorter than this are not searched for elsewhere: they are too much like ordinary words. */
const rememberFrom = 16;

/** Texts that are known to hold no secret, at most, and how long one is at most. */
const mostClean = 1024;
const longestClean = 256;

/** Redacts texts that are complete: header values, targets, details. Counts what it replaced. */
export class TextRedactor {
  readonly #secrets: Secrets;
  /** Methods, targets and the like come again and again. Void once another secret is known. */
  readonly #clean = new Set<string>();
  #cleanAt = 0;
  redactions = 0;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** URLs, JSON and remembered secrets in any text. */
  text(text: string): string {
    const { version } = this.#secrets.remembered;
    if (this.#cleanAt !== version) this.#clean.clear();
    this.#cleanAt = version;
    if (this.#clean.has(text)) return text;
    const stored = this.#search(text);
    if (stored === text && text.length <= longestClean && version === this.#secrets.remembered.version) {
      if (this.#clean.size >= mostClean) this.#clean.clear();
      this.#clean.add(text);
    }
    return stored;
  }

  #search(text: string): string {
    const redacted = redactText(text, this.#secrets, (tokens) => {
      this.redactions += tokens;
    });
    return redacted.includes('%') ? this.#encodedJson(redacted) : redacted;
  }

  /** JSON in a field of a URL: its quotes are percent-encoded there, and hide what tells a secret. */
  #encodedJson(text: string): string {
    return text.replace(/(?<=[?&;#][^=&#\s]{1,144}=)[^&#\s"<>]*%(?:22|7b)[^&#\s"<>]*/gi, (value) => {
      const decoded = percentDecode(value.replaceAll('+', ' '));
      const redacted = redactText(decoded, this.#secrets, (tokens) => {
        this.redactions += tokens;
      });
      return redacted === decoded ? value : encodeURIComponent(redacted);
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
      case 'subprotocols':
        return splitSubprotocols(value)
          .map(({ kept, secret }) => kept + this.#token(secret))
          .join(',');
      case 'grpc-message': {
        // Percent-encoding may hide what tells a secret.
        const text = percentDecode(value);
        const redacted = this.text(text);
        return redacted === text ? value : encodeGrpcMessage(redacted);
      }
      case 'grpc-details':
        return this.#details(value);
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

  /** `google.rpc.Status` in base64: its texts, and those of the details in it. */
  #details(value: string): string {
    // A recorder may have written JSON in its place.
    if (!/^[\w+/-]+={0,2}$/.test(value)) return this.text(value);
    const changed = rewriteTexts(Buffer.from(value, 'base64'), {
      text: (text) => this.text(text),
      isSecret: (key) => this.#secrets.names.member(key) !== undefined,
      secret: (text) => this.#token(text),
    });
    return changed === undefined ? value : changed.toString('base64');
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

/** Status messages have all but printable ASCII percent-encoded, and `%` itself (the gRPC protocol over HTTP/2). */
const encodeGrpcMessage = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
