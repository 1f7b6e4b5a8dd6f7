import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BypassObservation, CellId, Interposer, Json } from '@plugfest/model';
import express from 'express';
import type { Clock } from '../clock.ts';
import { type Delivery, readDelivery } from './delivery.ts';

export interface Expected {
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

interface RegistrationSpec {
  /** What makes the path unguessable; 32 hex digits. */
  readonly secret: string;
  /** Who is to deliver, for the report of one who comes without passing the proxy. */
  readonly sender: string;
  readonly cell: CellId;
  readonly expected: Expected;
  readonly answers?: Answers;
}

/** What a webhook does with a delivery instead of taking it: it never answers, or it sends the sender elsewhere. */
export type Answers = { readonly kind: 'never' } | { readonly kind: 'redirect'; readonly location: string };

/** One webhook. Deliveries without the token or credentials that were registered are answered 401. */
export interface Registration {
  /** Absolute path, to be put after the origin of a tap. */
  readonly path: string;
  readonly deliveries: readonly Delivery[];
  /** The first delivery that matches; undefined where none came in time. @throws the signal's reason on abort. */
  waitFor(
    matches: (delivery: Delivery) => boolean,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Delivery | undefined>;
}

export interface WebhookReceiver {
  /** Where webhook taps forward to. */
  readonly origin: string;
  readonly port: number;
  register(spec: RegistrationSpec): Registration;
  /** Deliveries that did not come through a tap. */
  bypass(): readonly BypassObservation[];
  close(): Promise<void>;
}

const maxBodyBytes = '1mb';
/** Most deliveries that one registration keeps; a scenario waits for a handful. */
const maxDeliveries = 256;
const maxObservations = 256;
/** A2A 1.0 keeps the token and names no header for it; both spellings are in use. */
const tokenHeaders = ['x-a2a-notification-token', 'a2a-notification-token'];

interface Entry {
  readonly spec: RegistrationSpec;
  readonly deliveries: Delivery[];
  readonly waiting: Set<() => void>;
}

/** Listens on a free port of the loopback. */
export async function startWebhookReceiver(interposer: Interposer, clock: Clock): Promise<WebhookReceiver> {
  const entries = new Map<string, Entry>();
  const bypass: BypassObservation[] = [];

  const app = express();
  app.disable('x-powered-by');
  app.use(express.text({ type: () => true, limit: maxBodyBytes, defaultCharset: 'utf-8' }));
  app.all('/hook/:secret', (request, response) => {
    const entry = entries.get(request.params.secret);
    if (!entry) {
      response.status(404).end();
      return;
    }
    if (entry.deliveries.length >= maxDeliveries) {
      response.status(429).end();
      return;
    }
    const { answers } = entry.spec;
    const delivery = read(request, entry.spec.expected, clock.nowMs());
    const { remotePort: port, localPort } = request.socket;
    if (port !== undefined && localPort !== undefined && !interposer.connectedFrom(port, localPort)) {
      const { sender, cell } = entry.spec;
      const detail = `A webhook delivery came straight from port ${port}, not through the proxy.`;
      if (bypass.length < maxObservations) bypass.push({ agent: sender, method: 'socket', detail, cell });
    }
    const at = entry.deliveries.push(delivery) - 1;
    const wake = () => {
      for (const look of [...entry.waiting]) look();
    };
    if (answers?.kind === 'never') {
      response.once('close', () => {
        entry.deliveries[at] = { ...delivery, leftAfterMs: clock.nowMs() - delivery.atMs };
        wake();
      });
    } else if (answers?.kind === 'redirect') response.redirect(307, answers.location);
    else response.status(delivery.status).end();
    wake();
  });
  app.use((error: unknown, _request: IncomingMessage, response: ServerResponse, _next: () => void) => {
    // An unreadable body: too large, wrong encoding, cut off.
    const status = error instanceof Error && 'status' in error ? Number(error.status) : 400;
    response.statusCode = status;
    response.end();
  });

  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    register: (spec) => {
      const entry: Entry = { spec, deliveries: [], waiting: new Set() };
      entries.set(spec.secret, entry);
      return { path: `/hook/${spec.secret}`, deliveries: entry.deliveries, waitFor: waiter(entry) };
    },
    bypass: () => [...bypass],
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function waiter(entry: Entry): Registration['waitFor'] {
  return (matches, timeoutMs, signal) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = entry.deliveries.find(matches);
        if (found) finish(() => resolve(found));
      };
      const onAbort = () => finish(() => reject(signal.reason));
      const timer = setTimeout(() => finish(() => resolve(undefined)), timeoutMs);
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        entry.waiting.delete(look);
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      entry.waiting.add(look);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      else look();
    });
}

function read(request: express.Request, expected: Expected, atMs: number): Delivery {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const body = parse(typeof request.body === 'string' ? request.body : '');
  const token = compare(
    expected.token,
    tokenHeaders.map((name) => headers[name]).find((value) => value !== undefined),
  );
  const authorization = compareAuthorization(expected.authentication, headers.authorization);
  const refused = [token, authorization].some((found) => found === 'absent' || found === 'wrong');
  const { method } = request;
  return {
    atMs,
    method,
    headers,
    body,
    ...readDelivery(body),
    token,
    authorization,
    status: refused ? 401 : 200,
  };
}

function compare(expected: string | undefined, found: string | undefined): Delivery['token'] {
  if (expected === undefined) return 'not-registered';
  if (found === undefined) return 'absent';
  return found === expected ? 'ok' : 'wrong';
}

/** `{scheme} {credentials}`, the scheme compared without case (A2A 1.0 section 4.3.3). */
function compareAuthorization(
  expected: Expected['authentication'],
  found: string | undefined,
): Delivery['authorization'] {
  if (expected === undefined) return 'not-registered';
  if (found === undefined) return 'absent';
  const [scheme = '', ...rest] = found.split(' ');
  const same = scheme.toLowerCase() === expected.scheme.toLowerCase();
  return same && rest.join(' ').trim() === (expected.credentials ?? '') ? 'ok' : 'wrong';
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
