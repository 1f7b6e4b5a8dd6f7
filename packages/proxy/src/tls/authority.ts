import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import { PlugfestError } from '@plugfest/model';
import { issueCertificate } from './certificate.ts';

const dayMs = 86_400_000;
const lifetimes = { authority: 3650 * dayMs, server: 365 * dayMs, beforeNow: dayMs } as const;

/** Most names whose certificates are kept: any client may ask for any name. */
const maxNames = 256;

/** Host names as clients may send them (RFC 6066 section 3); underscores are common in labs. */
const hostName = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_-]{1,63})*$/;

const fileName = 'lab-ca.pem';

/** The lab's own certificate authority: gives a certificate to whatever name a client asks a tap for. */
export interface LabAuthority {
  /** Its certificate, for clients to trust; PEM. */
  readonly certificate: string;
  /** What a server of that host name or IP address presents; undefined for what is neither. */
  identityOf(name: string): ServerIdentity | undefined;
}

/** A certificate for a name, with those above it, and its key; both PEM, and both in a context. */
export interface ServerIdentity {
  readonly cert: string;
  readonly key: string;
  readonly context: SecureContext;
}

interface Stored {
  readonly certificate: string;
  readonly key: KeyObject;
}

const newKeyPair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

function newAuthority(now: Date): string {
  const { publicKey, privateKey } = newKeyPair();
  // Two authorities of one name would be taken for each other by clients that keep both.
  const name = `Plugfest lab CA ${now.toISOString().slice(0, 19)}Z`;
  const certificate = issueCertificate({
    subject: name,
    issuer: name,
    publicKey,
    issuerPublicKey: publicKey,
    issuerKey: privateKey,
    notBefore: new Date(now.getTime() - lifetimes.beforeNow),
    notAfter: new Date(now.getTime() + lifetimes.authority),
    kind: 'authority',
  });
  return `${certificate}${privateKey.export({ type: 'pkcs8', format: 'pem' })}`;
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Writes the file unless another process has just done so; whoever is first, all have the same. */
function createFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    linkSync(draft, file);
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return;
    throw new PlugfestError('PLUGFEST_OUTPUT', `The lab CA cannot be written: ${file}`, {
      hint: 'Choose another folder for it.',
      cause,
    });
  } finally {
    rmSync(draft, { force: true });
  }
}

function readStored(file: string): Stored {
  const unusable = (why: string, cause?: unknown): PlugfestError =>
    new PlugfestError('PLUGFEST_KEYS', `${file} is no lab CA: ${why}`, {
      hint: 'Remove it, and a new one is made; clients then have to trust that.',
      ...(cause === undefined ? {} : { cause }),
    });
  const { mode } = lstatSync(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new PlugfestError('PLUGFEST_KEYS', `${file} holds a private key, and others may read it`, {
      hint: 'Whoever has read it can pretend to be any server to clients that trust it. Remove it, or take their rights away (chmod 600).',
    });
  }
  const text = readFileSync(file, 'utf8');
  const certificate = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----\n?/.exec(text)?.[0];
  const key = /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/.exec(text)?.[0];
  if (certificate === undefined || key === undefined)
    throw unusable('it needs a certificate and a private key');
  let parsed: X509Certificate;
  let privateKey: KeyObject;
  try {
    parsed = new X509Certificate(certificate);
    privateKey = createPrivateKey(key);
  } catch (cause) {
    throw unusable('it cannot be read', cause);
  }
  if (!parsed.ca || !parsed.checkPrivateKey(privateKey))
    throw unusable('key and certificate do not belong together');
  return { certificate, key: privateKey };
}

class FileAuthority implements LabAuthority {
  readonly certificate: string;
  private readonly key: KeyObject;
  private readonly publicKey: KeyObject;
  private readonly name: string;
  private readonly now: () => Date;
  /** One for all names: nothing but the lab's own word says who is who. */
  private readonly server = newKeyPair();
  private readonly identities = new Map<
    string,
    { readonly identity: ServerIdentity; readonly until: number }
  >();

  constructor({ certificate, key }: Stored, now: () => Date) {
    this.certificate = certificate;
    this.key = key;
    this.publicKey = createPublicKey(key);
    this.name = new X509Certificate(certificate).subject.replace(/^CN=/, '');
    this.now = now;
  }

  identityOf(asked: string): ServerIdentity | undefined {
    const name = asked.toLowerCase();
    if (isIP(name) === 0 && !hostName.test(name)) return undefined;
    const now = this.now().getTime();
    const known = this.identities.get(name);
    this.identities.delete(name);
    const entry = known !== undefined && known.until > now ? known : this.issue(name, now);
    // The latest goes last, so that the first is the one that nobody has asked for longest.
    this.identities.set(name, entry);
    if (this.identities.size > maxNames) {
      for (const oldest of this.identities.keys()) {
        this.identities.delete(oldest);
        break;
      }
    }
    return entry.identity;
  }

  private issue(name: string, now: number): { readonly identity: ServerIdentity; readonly until: number } {
    const certificate = issueCertificate({
      subject: name,
      issuer: this.name,
      publicKey: this.server.publicKey,
      issuerPublicKey: this.publicKey,
      issuerKey: this.key,
      notBefore: new Date(now - lifetimes.beforeNow),
      notAfter: new Date(now + lifetimes.server),
      kind: 'server',
    });
    const key = this.server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const cert = `${certificate}${this.certificate}`;
    return {
      identity: { cert, key, context: createSecureContext({ cert, key }) },
      until: now + lifetimes.server - dayMs,
    };
  }
}

/** Opens the lab CA of a folder; makes one on first use. Its file is readable by its owner alone. */
export function openLabAuthority(folder: string, now: () => Date = () => new Date()): LabAuthority {
  const file = join(folder, fileName);
  try {
    return new FileAuthority(readStored(file), now);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new PlugfestError('PLUGFEST_OUTPUT', `The folder of the lab CA cannot be made: ${folder}`, {
      hint: 'Choose another folder for it.',
      cause,
    });
  }
  createFile(file, newAuthority(now()));
  return new FileAuthority(readStored(file), now);
}
