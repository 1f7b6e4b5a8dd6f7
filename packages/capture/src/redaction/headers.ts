import { isUtf8 } from 'node:buffer';
import type { RawHeaders } from '@plugfest/model';
import { redactEncoded } from './encoded-text.ts';
import { splitScheme } from './names.ts';
import { rewriteTexts } from './protobuf-texts.ts';
import type { Secrets } from './scanner.ts';
import { splitSubprotocols } from './subprotocols.ts';
import { tokenFor } from './text.ts';
import { percentDecode } from './url-secret.ts';

/** A JSON Web Token, in whatever field it is: what vouches for a caller. */
const webToken = /^eyJ[\w-]{8,}\.[\w-]*\.[\w-]*$/;

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
    const stored = redactEncoded(text, this.#secrets, (tokens) => {
      this.redactions += tokens;
    });
    if (stored === text && text.length <= longestClean && version === this.#secrets.remembered.version) {
      if (this.#clean.size >= mostClean) this.#clean.clear();
      this.#clean.add(text);
    }
    return stored;
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
      case 'binary':
        return this.#binary(value);
      case 'secret':
        return this.#token(value);
      case 'plain':
        return webToken.test(value) ? this.#token(value) : this.text(value);
    }
  }

  /** The value of a JSON member. */
  member(name: string, value: string): string {
    return this.#secrets.names.member(name) === undefined ? this.text(value) : this.#token(value);
  }

  /** Binary metadata in base64, such as `google.rpc.Status`: texts of a message, and those of messages in it; or a text. */
  #binary(value: string): string {
    // A recorder may have written JSON in its place.
    if (!/^[\w+/-]+={0,2}$/.test(value)) return this.text(value);
    const bytes = Buffer.from(value, 'base64');
    const changed = rewriteTexts(bytes, {
      text: (text) => this.text(text),
      isSecret: (key) => this.#secrets.names.member(key) !== undefined,
      secret: (text) => this.#token(text),
    });
    if (changed !== undefined) return changed.toString('base64');
    if (!isUtf8(bytes)) return value;
    const text = bytes.toString();
    const redacted = this.text(text);
    return redacted === text ? value : Buffer.from(redacted).toString('base64');
  }

  /** `name=value` with the value replaced; without a name, all of it is the value. */
  #pair(pair: string): string {
    const [, blank = '', name = '', value = ''] = /^(\s*)([^=]*=)?([\s\S]*)$/.exec(pair) ?? [];
    return blank + name + this.#token(value);
  }

  #token(secret: string): string {
    return tokenFor(secret, this.#secrets, () => {
      this.redactions += 1;
    });
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
