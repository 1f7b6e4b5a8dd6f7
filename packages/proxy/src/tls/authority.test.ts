import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openLabAuthority } from './authority.ts';

const root = temporaryFolder();

const leafOf = (cert: string | undefined): X509Certificate =>
  new X509Certificate(/-----BEGIN[\s\S]+?-----END CERTIFICATE-----/.exec(cert ?? '')?.[0] ?? '');

describe('the lab CA', () => {
  it('is made on first use, for its owner alone, and is the same from then on', () => {
    const folder = join(root, 'first', 'use');
    const made = openLabAuthority(folder);
    expect(statSync(join(folder, 'lab-ca.pem')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(openLabAuthority(folder).certificate).toBe(made.certificate);
    expect(made.certificate).not.toContain('PRIVATE');
    const certificate = new X509Certificate(made.certificate);
    expect(certificate.ca).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.subject).toBe(certificate.issuer);
    expect(certificate.keyUsage).toBeUndefined();
  });

  it.each([
    ['agent-b', (leaf: X509Certificate) => leaf.checkHost('agent-b')],
    ['Hotel.Example', (leaf: X509Certificate) => leaf.checkHost('hotel.example')],
    ['127.0.0.1', (leaf: X509Certificate) => leaf.checkIP('127.0.0.1')],
    ['::1', (leaf: X509Certificate) => leaf.checkIP('::1')],
    ['2001:db8::ff00:42:8329', (leaf: X509Certificate) => leaf.checkIP('2001:db8::ff00:42:8329')],
    ['::ffff:192.0.2.1', (leaf: X509Certificate) => leaf.checkIP('::ffff:192.0.2.1')],
    [
      `${'long-name.'.repeat(20)}example`,
      (leaf: X509Certificate) => leaf.checkHost(`${'long-name.'.repeat(20)}example`),
    ],
  ])('gives %s a certificate that it has signed', (name, check) => {
    const authority = openLabAuthority(join(root, 'names'));
    const leaf = leafOf(authority.identityOf(name)?.cert);
    const ca = new X509Certificate(authority.certificate);
    expect(leaf.checkIssued(ca)).toBe(true);
    expect(leaf.verify(ca.publicKey)).toBe(true);
    expect(check(leaf)).toBeDefined();
    expect(leaf.ca).toBe(false);
    expect(leaf.checkHost('elsewhere.example')).toBeUndefined();
    expect(authority.identityOf(name)).toBe(authority.identityOf(name));
  });

  it.each(['', '*.example', 'a b', 'a/../b', `${'a'.repeat(64)}.example`, 'a\nb', 'a.', '-\u0000'])(
    'gives %j nothing, which is no name',
    (name) => {
      expect(openLabAuthority(join(root, 'names')).identityOf(name)).toBeUndefined();
    },
  );

  it('remembers no more names than it should', () => {
    const authority = openLabAuthority(join(root, 'names'));
    const first = authority.identityOf('name-0');
    for (let i = 1; i <= 300; i++) authority.identityOf(`name-${i}`);
    expect(authority.identityOf('name-0')).not.toBe(first);
  });

  it('gives a new certificate before the old one expires', () => {
    let now = new Date('2030-01-01T00:00:00Z');
    const authority = openLabAuthority(join(root, 'later'), () => now);
    const first = authority.identityOf('a');
    now = new Date('2030-12-30T00:00:00Z');
    expect(authority.identityOf('a')).toBe(first);
    now = new Date('2031-01-01T00:00:00Z');
    const second = leafOf(authority.identityOf('a')?.cert);
    expect(second.validTo).toContain('2032');
  });

  it('writes years from 2050 on as RFC 5280 has it', () => {
    const authority = openLabAuthority(join(root, 'far'), () => new Date('2049-06-01T00:00:00Z'));
    expect(new X509Certificate(authority.certificate).validTo).toContain('2059');
  });

  it.each([
    ['is no PEM', 'x', 0o600, /needs a certificate and a private key/],
    [
      'cannot be read',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
      0o600,
      /cannot be read/,
    ],
    ['others may read', undefined, 0o644, /others may read it/],
  ])('is refused where its file %s, and the file stays', (what, text, mode, message) => {
    const folder = join(root, what);
    if (text === undefined) openLabAuthority(folder);
    else mkdirSync(folder);
    const file = join(folder, 'lab-ca.pem');
    if (text !== undefined) writeFileSync(file, text);
    chmodSync(file, mode);
    const before = readFileSync(file, 'utf8');
    expect(() => openLabAuthority(folder)).toThrow(message);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});
