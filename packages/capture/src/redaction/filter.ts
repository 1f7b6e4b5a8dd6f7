import { header, mediaType, type RawHeaders } from '@plugfest/model';
import { grpcJsonHeader } from '../ndjson/grpc.ts';
import { negotiated } from '../websocket/negotiated.ts';
import type { Filter } from '../writer/intake.ts';
import { codingsOf } from './coding.ts';
import { CompressedFilter } from './compressed-filter.ts';
import { FormScanner } from './form.ts';
import { GrpcScanner } from './grpc.ts';
import { TextRedactor } from './headers.ts';
import { LateFilter } from './late-filter.ts';
import { SecretNames } from './names.ts';
import type { RedactionOptions } from './options.ts';
import { Remembered } from './remembered.ts';
import { Scanner, type Secrets } from './scanner.ts';
import { ScanningFilter } from './scanning-filter.ts';
import { Tokens } from './tokens.ts';
import { WebSocketScanner } from './websocket.ts';

/** Keeps secrets from the disk: replaces them, in everything that is stored, by tokens of this session. */
export function redactionFilter(options: RedactionOptions): Filter {
  const secrets: Secrets = {
    names: new SecretNames(options),
    tokens: new Tokens(),
    remembered: new Remembered(options.secrets),
  };
  const texts = new TextRedactor(secrets);
  const kinds = new BodyKinds();
  return {
    get redactions() {
      return texts.redactions;
    },
    get version() {
      return secrets.remembered.version;
    },
    target: (text) => texts.text(text),
    headers: (headers) => texts.headers(headers),
    text: (text) => texts.text(text),
    change: (change) => {
      const { place, where, before, after, reason } = change;
      const redact = (value: string): string =>
        where === undefined || place === 'target'
          ? texts.text(value)
          : place === 'body'
            ? texts.member(where.slice(where.lastIndexOf('/') + 1), value)
            : texts.header(where, value);
      return {
        ...change,
        ...(where === undefined ? {} : { where: texts.text(where) }),
        reason: texts.text(reason),
        ...(before === undefined ? {} : { before: redact(before) }),
        ...(after === undefined ? {} : { after: redact(after) }),
      };
    },
    body: ({ target, headers, side, imported, switched, late }) => {
      if (late === true) return new LateFilter();
      const socket = switched && negotiated(101, switched);
      if (socket !== undefined) {
        const scanner = new WebSocketScanner(secrets, side, socket);
        return new ScanningFilter(scanner, scanner.heldBytes);
      }
      const { decoded, grpc, form, multipart, codings } = kinds.of(headers);
      if (grpc && !(imported && decoded)) {
        const encoding = header(headers, 'grpc-encoding');
        const scanner = new GrpcScanner(secrets, { method: pathOf(target), side, encoding });
        return new ScanningFilter(scanner, scanner.heldBytes);
      }
      const text = (): ScanningFilter =>
        new ScanningFilter(form ? new FormScanner(secrets) : new Scanner(secrets, { multipart }));
      return codings.length === 0 ? text() : new CompressedFilter(codings, text);
    },
  };
}

/** The path of a target, which imports and forward proxies have in absolute form. */
const pathOf = (target: string): string =>
  target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');

/** What a body is, as far as its headers tell. */
interface BodyKind {
  /** Meant as JSON of a gRPC message; only where it was imported. */
  readonly decoded: boolean;
  readonly grpc: boolean;
  readonly form: boolean;
  readonly multipart: boolean;
  readonly codings: readonly string[];
}

/** Kinds by header list: the same list comes again and again. */
class BodyKinds {
  readonly #known = new WeakMap<RawHeaders, BodyKind>();

  of(headers: RawHeaders): BodyKind {
    const known = this.#known.get(headers);
    if (known !== undefined) return known;
    const type = mediaType(header(headers, 'content-type'));
    const kind = {
      decoded: header(headers, grpcJsonHeader) !== undefined,
      // In base64, as gRPC-Web has it as well, messages that may hold a secret are not read and not stored.
      grpc: type.startsWith('application/grpc') && !type.endsWith('+json'),
      form: type === 'application/x-www-form-urlencoded',
      multipart: type === 'multipart/form-data',
      codings: codingsOf(headers),
    };
    this.#known.set(headers, kind);
    return kind;
  }
}
