import { type DecodedExchange, type Jwk, type KeyCandidate, readJwkSet } from '@plugfest/a2a';
import { header } from '@plugfest/model';
import type { ExchangeRef } from '../subjects.ts';

/** Sets that are kept: an agent that serves ever new ones must not fill the memory. */
const keptSets = 64;

/** A JWK set that somebody fetched within the capture. */
export interface KeySet {
  readonly exchange: ExchangeRef;
  /** Whether it came over TLS; undefined where the capture does not say. */
  readonly secure: boolean | undefined;
  readonly keys: readonly Jwk[];
  /** Where it lies, as host and path, by each name that the capture has for it. */
  readonly places: ReadonlySet<string>;
}

function placeOf(url: string | undefined): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed === null ? undefined : `${parsed.host}${parsed.pathname}${parsed.search}`;
}

/** The names of what was asked for: as the request has it, and as the proxy sent it on. */
function placesOf({ captured }: DecodedExchange): ReadonlySet<string> {
  const { target, headers } = captured.request;
  const { upstream } = captured.edge;
  const host = header(headers, 'host') ?? header(headers, ':authority');
  const names = target.startsWith('/')
    ? [host && `https://${host}${target}`, upstream && URL.parse(target, upstream)?.href]
    : [target];
  return new Set(names.map(placeOf).filter((place) => place !== undefined));
}

function securityOf({ captured }: DecodedExchange): boolean | undefined {
  const { target } = captured.request;
  const from = target.startsWith('/') ? captured.edge.upstream : target;
  const scheme = URL.parse(from ?? '')?.protocol;
  return scheme === undefined ? undefined : scheme === 'https:';
}

/** The keys that signatures may have been made with: those given by the user, and those fetched within the capture. */
export class KeySets {
  readonly #given: readonly Jwk[];
  readonly #fetched: KeySet[] = [];

  constructor(given: readonly Jwk[] = []) {
    this.#given = given;
  }

  /** Keeps the response where it is a JWK set. */
  add(exchange: DecodedExchange, ref: () => ExchangeRef): void {
    const { response, captured } = exchange;
    if (response?.status !== 200 || captured.request.method !== 'GET') return;
    const keys = readJwkSet(response.json.value);
    if (keys === undefined || this.#fetched.length >= keptSets) return;
    this.#fetched.push({ exchange: ref(), secure: securityOf(exchange), keys, places: placesOf(exchange) });
  }

  /** The sets that were fetched from a URL. */
  at(url: string | undefined): readonly KeySet[] {
    const place = placeOf(url);
    return place === undefined ? [] : this.#fetched.filter(({ places }) => places.has(place));
  }

  /** Keys that a signature of an agent's card may have been made with, by its `kid` and `jku`. */
  for(agent: string, kid: string | undefined, jku: string | undefined): readonly KeyCandidate[] {
    if (kid === undefined) return [];
    const named = (keys: readonly Jwk[], certain: boolean): readonly KeyCandidate[] =>
      keys.filter((key) => key.kid === kid).map((key) => ({ key, certain }));
    const atJku = this.at(jku);
    const own = this.#fetched.filter((set) => set.exchange.edge.callee === agent && !atJku.includes(set));
    return [
      ...named(this.#given, true),
      ...atJku.flatMap(({ keys }) => named(keys, true)),
      // Somebody else's key may have the same name, so what it does not verify may still be in order.
      ...own.flatMap(({ keys }) => named(keys, false)),
    ];
  }
}
