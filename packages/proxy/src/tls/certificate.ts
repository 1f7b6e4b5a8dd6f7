import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * Certificates of the lab, written in DER (RFC 5280; X.690). They need one kind of key, one of signature and five
 * extensions, which is less than any library for it.
 */

export interface CertificateRequest {
  /** Common name; of a server the host name or IP address that it is for. */
  readonly subject: string;
  readonly issuer: string;
  /** Public key of the subject; P-256. */
  readonly publicKey: KeyObject;
  readonly issuerPublicKey: KeyObject;
  readonly issuerKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** A certificate that signs others, or one for a server. */
  readonly kind: 'authority' | 'server';
}

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  let hex = body.length.toString(16);
  if (hex.length % 2 === 1) hex = `0${hex}`;
  const length = Buffer.from(hex, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
};

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (...encoded: readonly number[]): Buffer => der(0x06, Buffer.from(encoded));
const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
const bits = (bytes: Uint8Array, unused = 0): Buffer => der(0x03, Buffer.from([unused]), bytes);
const yes = der(0x01, Buffer.from([0xff]));

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const commonName = oid(0x55, 0x04, 0x03);
const serverAuth = oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01);

/** Longest common name (RFC 5280 appendix A.1, `ub-common-name`). */
const maxCommonName = 64;

const nameOf = (text: string): Buffer =>
  sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(text.slice(0, maxCommonName))))));

/** Two digits of the year up to 2049, four from then on (RFC 5280 section 4.1.2.5). */
const timeOf = (date: Date): Buffer => {
  const digits = date.toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : der(0x18, Buffer.from(`${digits}Z`));
};

/** Bytes of an IP address that `isIP` has accepted. */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The URL parser writes IPv6 in its canonical form, without dotted decimals.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const all = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

/** The key's own identifier (RFC 5280 section 4.2.1.2); any that is unique will do. */
const identifierOf = (key: KeyObject): Buffer =>
  key.export({ type: 'spki', format: 'der' }).subarray(-20) as Buffer;

const extension = (id: Buffer, value: Buffer, critical = false): Buffer =>
  sequence(id, ...(critical ? [yes] : []), octets(value));

function extensionsOf({ kind, subject, publicKey, issuerPublicKey }: CertificateRequest): Buffer[] {
  const keys = [
    extension(oid(0x55, 0x1d, 0x0e), octets(identifierOf(publicKey))),
    extension(oid(0x55, 0x1d, 0x23), sequence(der(0x80, identifierOf(issuerPublicKey)))),
  ];
  if (kind === 'authority') {
    return [
      ...keys,
      // May sign certificates of servers, and no further authority.
      extension(oid(0x55, 0x1d, 0x13), sequence(yes, der(0x02, Buffer.from([0]))), true),
      extension(oid(0x55, 0x1d, 0x0f), bits(Buffer.from([0x06]), 1), true),
    ];
  }
  const name = isIP(subject) === 0 ? der(0x82, Buffer.from(subject)) : der(0x87, addressBytes(subject));
  return [
    ...keys,
    extension(oid(0x55, 0x1d, 0x0f), bits(Buffer.from([0x80]), 7), true),
    extension(oid(0x55, 0x1d, 0x25), sequence(serverAuth)),
    extension(oid(0x55, 0x1d, 0x11), sequence(name)),
  ];
}

/** A signed certificate, as PEM. */
export function issueCertificate(request: CertificateRequest): string {
  const serial = randomBytes(16);
  // Positive, and without a leading zero byte that DER would not have.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    nameOf(request.issuer),
    sequence(timeOf(request.notBefore), timeOf(request.notAfter)),
    nameOf(request.subject),
    request.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensionsOf(request))),
  );
  const signature = sign('sha256', content, request.issuerKey);
  const lines =
    sequence(content, ecdsaWithSha256, bits(signature))
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
