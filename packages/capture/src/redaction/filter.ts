import { header, mediaType } from '@plugfest/model';
import { grpcJsonHeader } from '../ndjson/grpc.ts';
import type { Filter } from '../writer/intake.ts';
import { codingsOf } from './coding.ts';
import { CompressedFilter } from './compressed-filter.ts';
import { GrpcScanner, heldMessageBytes } from './grpc.ts';
import { TextRedactor } from './headers.ts';
import { SecretNames } from './names.ts';
import type { RedactionOptions } from './options.ts';
import { Remembered } from './remembered.ts';
import { Scanner, type Secrets } from './scanner.ts';
import { ScanningFilter } from './scanning-filter.ts';
import { Tokens } from './tokens.ts';

/** Keeps secrets from the disk: replaces them, in everything that is stored, by tokens of this session. */
export function redactionFilter(options: RedactionOptions): Filter {
  const secrets: Secrets = {
    names: new SecretNames(options),
    tokens: new Tokens(),
    remembered: new Remembered(),
  };
  const texts = new TextRedactor(secrets);
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
      const { place, where, before, after } = change;
      const redact = (value: string): string =>
        (place === 'header' || place === 'trailer') && where !== undefined
          ? texts.header(where, value)
          : texts.text(value);
      return {
        ...change,
        ...(before === undefined ? {} : { before: redact(before) }),
        ...(after === undefined ? {} : { after: redact(after) }),
      };
    },
    body: ({ target, headers, side, imported }) => {
      const type = mediaType(header(headers, 'content-type'));
      const decoded = imported && header(headers, grpcJsonHeader) !== undefined;
      if (
        !decoded &&
        type.startsWith('application/grpc') &&
        !type.endsWith('+json') &&
        !type.includes('text')
      ) {
        const encoding = header(headers, 'grpc-encoding');
        return new ScanningFilter(
          new GrpcScanner(secrets, { method: target, side, encoding }),
          heldMessageBytes,
        );
      }
      const form = type === 'application/x-www-form-urlencoded';
      const text = (): ScanningFilter => new ScanningFilter(new Scanner(secrets, { form }));
      const codings = codingsOf(headers);
      return codings.length === 0 ? text() : new CompressedFilter(codings, text);
    },
  };
}
