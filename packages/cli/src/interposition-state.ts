import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isJsonObject, PlugfestError } from '@plugfest/model';
import type { EdgeSpec } from './edge-spec.ts';

const schema = 'plugfest.interposition/1';

/**
 * What a recording needs again in its next session, so that what peers were given in this one still leads somewhere: the
 * key that webhook URLs are sealed with, the ports of the taps, and the key that cards are signed with.
 */
interface Content {
  readonly schema: typeof schema;
  /** 32 bytes in base64. */
  readonly webhookKey: string;
  /** PEM. */
  readonly signingKey?: string;
  /** By edge. */
  readonly ports: Readonly<Record<string, number>>;
}

function contentOf(value: unknown): Content | undefined {
  if (!isJsonObject(value) || value.schema !== schema || !isJsonObject(value.ports)) return undefined;
  const { webhookKey, signingKey } = value;
  if (typeof webhookKey !== 'string' || Buffer.from(webhookKey, 'base64').length !== 32) return undefined;
  if (signingKey !== undefined && typeof signingKey !== 'string') return undefined;
  const ports: Record<string, number> = {};
  for (const [edge, port] of Object.entries(value.ports)) {
    if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
    ports[edge] = port;
  }
  return { schema, webhookKey, ...(signingKey === undefined ? {} : { signingKey }), ports };
}

/** No larger file was written here. */
const mostBytes = 1024 * 1024;

const keyOf = ({ caller, callee, kind, upstream }: EdgeSpec): string =>
  `${kind} ${caller}=${callee}@${new URL(upstream).origin}`;

/** Path of the state that belongs to a capture. */
export const stateFileOf = (capture: string): string => `${capture}.interposition.json`;

/** A file beside a capture, for its owner only: whoever has it can tell the webhook URLs that agents were given. */
export class InterpositionState {
  private readonly file: string;
  private content: Content;

  private constructor(file: string, content: Content) {
    this.file = file;
    this.content = content;
  }

  /** @throws PlugfestError PLUGFEST_KEYS where there is such a file that is none of ours, or that others may read. */
  static open(file: string): InterpositionState {
    const stored = read(file);
    if (stored !== undefined) return new InterpositionState(file, stored);
    const webhookKey = randomBytes(32).toString('base64');
    return new InterpositionState(file, { schema, webhookKey, ports: {} });
  }

  get webhookKey(): Uint8Array {
    return Buffer.from(this.content.webhookKey, 'base64');
  }

  /** PEM; made where there is none. */
  signingKey(make: () => string): string {
    this.content = { ...this.content, signingKey: this.content.signingKey ?? make() };
    return this.content.signingKey ?? '';
  }

  /** Port at which the tap of this edge listened last. */
  portOf(edge: EdgeSpec): number | undefined {
    return this.content.ports[keyOf(edge)];
  }

  remember(edge: EdgeSpec, origin: string): void {
    const port = Number(new URL(origin).port);
    this.content = { ...this.content, ports: { ...this.content.ports, [keyOf(edge)]: port } };
  }

  save(): void {
    const draft = `${this.file}.${process.pid}`;
    try {
      writeFileSync(draft, `${JSON.stringify(this.content, null, 2)}\n`, { mode: 0o600 });
      renameSync(draft, this.file);
    } catch (cause) {
      throw new PlugfestError('PLUGFEST_OUTPUT', `The state of the proxy cannot be written: ${this.file}`, {
        hint: 'It is kept beside the capture; choose another folder for both.',
        cause,
      });
    }
  }
}

function read(file: string): Content | undefined {
  const refuse = (why: string, cause?: unknown): PlugfestError =>
    new PlugfestError('PLUGFEST_KEYS', `${file} is no state of the proxy that can be used: ${why}`, {
      hint: 'Move it away, and a new one is made; webhooks that agents were given in earlier sessions are then refused.',
      ...(cause === undefined ? {} : { cause }),
    });
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw refuse('it cannot be read', error);
  }
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile() || found.size > mostBytes) throw refuse('it is no small file');
    if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
      throw refuse('others may read its keys (chmod 600)');
    const content = contentOf(JSON.parse(readFileSync(descriptor, 'utf8')));
    if (content === undefined) throw refuse('it holds something else');
    return content;
  } catch (error) {
    throw error instanceof SyntaxError ? refuse('it is no JSON', error) : error;
  } finally {
    closeSync(descriptor);
  }
}
