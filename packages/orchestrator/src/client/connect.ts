import { type CardView, selectInterface } from '@plugfest/a2a';
import { type CallOptions, type Dialect, DriveFailure } from '../driver/drive.ts';
import { type CardAnswer, readCard } from './card.ts';
import { GrpcRawClient } from './grpc-raw-client.ts';
import type { HttpClient } from './http.ts';
import { HttpRawClient } from './http-raw-client.ts';
import { NetworkError } from './network-error.ts';
import type { Address, Endpoint, RawClient } from './raw-client.ts';

/** A call on nobody's behalf has no token. */
export const nobody = 'nobody';

/** Fetches a card, unless the one that was fetched before may still be used. A connection that fails is an answer, too. @throws the signal's reason on abort. */
export async function fetchCard(
  http: HttpClient,
  address: Address,
  signal: AbortSignal,
): Promise<CardAnswer> {
  // An agent of several versions has a card for each (A2A 1.0 section 3.6.1); one of 0.3 does not look at it.
  const headers = { accept: 'application/json', 'a2a-version': '1.0', ...address.headers };
  const wanted = { method: 'GET', url: address.origin + address.cardPath, headers } as const;
  try {
    const answer = await http.cards.get(wanted, (request) => http.fetch(request, signal));
    return readCard(answer, address.cardPath);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return { kind: 'unreachable', reason: `it cannot be reached (${error.message})` };
  }
}

/** @throws DriveFailure where the card has no such interface, or it leads past the taps. */
function endpointOf(card: CardView, dialect: Dialect, address: Address): Endpoint {
  const chosen = selectInterface(card, dialect);
  const wish = `${dialect.binding} ${dialect.version}`;
  if (!chosen?.url) throw new DriveFailure(`the card of ${address.name} has no interface for ${wish}`);
  const url = urlOf(chosen.url, dialect, address);
  if (!url) throw new DriveFailure(`the card of ${address.name} gives no usable URL for ${wish}`);
  if (!address.isTap(url))
    throw new DriveFailure(
      `the card of ${address.name} leads to ${url.origin}, which the proxy does not stand before`,
    );
  const shown = dialect.binding === 'GRPC' ? url.origin : chosen.url;
  return { url: shown, ...(chosen.tenant ? { tenant: chosen.tenant } : {}) };
}

/** gRPC has `host:port` (A2A 1.0 section 4.4.6), also as a target of gRPC's own resolver; taps all have one scheme. */
function urlOf(text: string, { binding }: Dialect, { origin }: Address): URL | undefined {
  const authority = binding === 'GRPC' ? /^(?:dns:\/{0,3})?([^/?#]+:\d+)$/i.exec(text)?.[1] : undefined;
  return URL.parse(authority === undefined ? text : `${new URL(origin).protocol}//${authority}`) ?? undefined;
}

/** A client for one dialect, found by way of the card. @throws DriveFailure where the card does not lead to one. */
export async function connect(
  http: HttpClient,
  address: Address,
  dialect: Dialect,
  signal: AbortSignal,
  options: CallOptions = {},
): Promise<RawClient> {
  const answer = await fetchCard(http, address, signal);
  if (answer.kind !== 'card') throw new DriveFailure(`${address.name}: ${answer.reason}`);
  const endpoint = endpointOf(answer.card, dialect, address);
  const extensions = extensionsOf(options, answer.card.requiredExtensions);
  const headers = { ...address.headers, ...callHeaders(address, dialect, { ...options, extensions }) };
  return dialect.binding === 'GRPC'
    ? new GrpcRawClient(http.http2, { ...address, headers }, dialect, endpoint)
    : new HttpRawClient(http, { ...address, headers }, dialect, endpoint);
}

/** What a client asks for: what it wishes, and what the card requires, or the card would not let it in. */
export function extensionsOf(
  { extensions = [], ignoresRequired = false }: CallOptions,
  required: readonly string[],
): readonly string[] {
  return ignoresRequired ? extensions : [...new Set([...required, ...extensions])];
}

/** Credentials and wishes of a call, as header fields or gRPC metadata. */
function callHeaders(
  address: Address,
  { version }: Dialect,
  { as, extensions = [] }: CallOptions,
): Readonly<Record<string, string>> {
  const [usual] = address.tokens.keys();
  const principal = as ?? usual;
  const token = principal === undefined ? undefined : address.tokens.get(principal);
  if (as !== undefined && as !== nobody && token === undefined)
    throw new DriveFailure(`${address.name} knows no principal ${as}`);
  // 0.3 section 3.2.2 had the name with the X.
  const wish = version === '1.0' ? 'a2a-extensions' : 'x-a2a-extensions';
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(extensions.length === 0 ? {} : { [wish]: extensions.join(', ') }),
  };
}
