import { hash } from 'node:crypto';
import { type CardView, canonicalJson, type DecodedExchange, type JsonBody } from '@plugfest/a2a';
import { type CapturedResponse, header, headerValues, type ProtocolVersion } from '@plugfest/model';
import type { ExchangeRef } from '../subjects.ts';
import { owned } from './owned.ts';

/** URLs of cards that are remembered, of all agents together, and answers for each of them. */
const keptPlaces = 1024;
const keptAnswers = 32;

/** What a response says about caching (RFC 9111). */
export interface CachingFields {
  readonly directives: ReadonlyMap<string, string>;
  readonly hasCacheControl: boolean;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** How long it was under way in caches, in seconds. */
  readonly ageS: number;
}

/** A quoted value may hold commas; none of the directives judged here has one that matters. */
function directivesOf(values: readonly string[]): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const directive of values.join(',').slice(0, 4096).split(',')) {
    const equals = directive.indexOf('=');
    const name = (equals === -1 ? directive : directive.slice(0, equals)).trim().toLowerCase();
    const value = equals === -1 ? '' : directive.slice(equals + 1).trim();
    if (name !== '' && !directives.has(name)) directives.set(name, value.replace(/^"(.*)"$/, '$1'));
  }
  return directives;
}

function fieldsOf(headers: readonly string[]): CachingFields {
  const cacheControl = headerValues(headers, 'cache-control');
  const age = header(headers, 'age')?.trim() ?? '';
  return {
    directives: directivesOf(cacheControl),
    hasCacheControl: cacheControl.length > 0,
    etag: header(headers, 'etag')?.trim(),
    lastModified: header(headers, 'last-modified')?.trim(),
    ageS: /^\d{1,9}$/.test(age) ? Number(age) : 0,
  };
}

/** As the agent sent them. */
export const sentCaching = ({ headers }: CapturedResponse): CachingFields => fieldsOf(headers);
/** As they reached the client, where a proxy changed them. */
export const receivedCaching = ({ headers, forwardedHeaders }: CapturedResponse): CachingFields =>
  fieldsOf(forwardedHeaders ?? headers);

/** For how many seconds a response is fresh; undefined where it does not say so by `max-age`. */
export function freshForS({ directives }: CachingFields): number | undefined {
  const maxAge = directives.get('max-age');
  return maxAge !== undefined && /^\d{1,10}$/.test(maxAge) ? Number(maxAge) : undefined;
}

/**
 * True where the capture says when a request went out. An import without times makes some up, which follow each other
 * by less than a millisecond; those that a line gave itself are whole milliseconds.
 */
export const isTimed = ({ captured }: DecodedExchange): boolean =>
  captured.timesSynthetic !== true || captured.request.atNs % 1e6 === 0;

/** The card that a caller got last from a URL, as its cache may hold it. */
export interface StoredCard {
  readonly exchange: ExchangeRef;
  readonly caching: CachingFields;
  /** When it came, or was last found unchanged. */
  readonly atNs: number;
  /** The capture says when it was asked for. */
  readonly timed: boolean;
}

/** A card as an agent served it at a URL. */
export interface ServedCard {
  readonly etag: string | undefined;
  /** Digest of the body, and of its content whatever the order of members. */
  readonly bytes: string;
  readonly content: string;
  readonly version: ProtocolVersion;
  /** What was asked for: the headers on which a card may depend. */
  readonly asked: AskedVariant;
}

export interface AskedVariant {
  readonly a2aVersion: string;
  readonly authorization: string;
}

const cachingHeaders = ['cache-control', 'etag'] as const;
export type CachingHeader = (typeof cachingHeaders)[number];

interface Place {
  readonly served: ServedCard[];
}

/** Where a card was asked for, as the caller names it. */
function placeOf({ captured }: DecodedExchange): string {
  const { headers, target } = captured.request;
  const host = header(headers, 'host') ?? header(headers, ':authority') ?? '';
  return `${host.toLowerCase()} ${target}`;
}

const digestOf = (text: string): string => hash('sha256', text).slice(0, 16);

export function askedVariant({ captured, request }: DecodedExchange): AskedVariant {
  return {
    a2aVersion: request.a2aVersion ?? '',
    authorization: header(captured.request.headers, 'authorization') ?? '',
  };
}

/** By body: equal ones that come one after the other are one object. */
const digests = new WeakMap<JsonBody, Pick<ServedCard, 'bytes' | 'content'>>();

/** Of the bodies that were looked at last: a card that is fetched again and again is the same. */
const lastDigests: Pick<ServedCard, 'bytes' | 'content'>[] = [];
const keptDigests = 16;

const contentOf = (card: CardView, text: string): string => digestOf(canonicalJson(card.value) ?? text);

/** The card of a response to a card's fetch, as it was served; undefined where there is none. */
export function servedCard(exchange: DecodedExchange): ServedCard | undefined {
  const { response, captured, payloads } = exchange;
  const payload = payloads.find(({ kind }) => kind === 'card');
  if (payload?.kind !== 'card' || response === undefined || captured.response === undefined) return undefined;
  let digest = digests.get(response.json);
  if (digest === undefined) {
    const { text } = response.json;
    const bytes = digestOf(text);
    digest = lastDigests.find((each) => each.bytes === bytes);
    if (digest === undefined) {
      digest = { bytes, content: contentOf(payload.card, text) };
      if (lastDigests.length >= keptDigests) lastDigests.shift();
      lastDigests.push(digest);
    }
    digests.set(response.json, digest);
  }
  return {
    etag: header(captured.response.headers, 'etag')?.trim(),
    ...digest,
    version: payload.card.version,
    asked: askedVariant(exchange),
  };
}

/** A fetch that asks for nothing but what has changed (RFC 9110 section 13.1). */
export const isConditional = ({ captured }: DecodedExchange): boolean =>
  header(captured.request.headers, 'if-none-match') !== undefined ||
  header(captured.request.headers, 'if-modified-since') !== undefined;

/** Age of a stored card when another fetch goes out, in seconds; negative where it was not there yet. */
export const ageS = ({ caching, atNs }: StoredCard, { captured }: DecodedExchange): number =>
  captured.request.atNs < atNs ? -1 : caching.ageS + (captured.request.atNs - atNs) / 1e9;

const nothing: readonly ServedCard[] = [];

/** What callers' caches may hold of agents' cards, and what agents served under which ETag. */
export class CardFetches {
  readonly #stored = new Map<string, StoredCard>();
  readonly #places = new Map<string, Place>();
  readonly #reloaders = new Set<string>();
  readonly #lacking = new Set<string>();

  /** The agent served its card at this path without this header before. */
  hasLacked({ captured, request }: DecodedExchange, name: CachingHeader): boolean {
    return this.#lacking.has(owned(captured.edge.callee, `${name} ${request.path}`));
  }

  /** The caller has loaded a card of this agent again before, though the one it had was fresh. */
  hasReloaded({ captured }: DecodedExchange): boolean {
    return this.#reloaders.has(owned(captured.edge.callee, captured.edge.caller));
  }

  /** What the caller of a fetch may have in its cache. */
  stored(exchange: DecodedExchange): StoredCard | undefined {
    return this.#stored.get(cacheKey(exchange));
  }

  /** What the agent served before at the URL of a fetch, oldest first. */
  served(exchange: DecodedExchange): readonly ServedCard[] {
    return this.#places.get(owned(exchange.captured.edge.callee, placeOf(exchange)))?.served ?? nothing;
  }

  add(exchange: DecodedExchange, ref: ExchangeRef): void {
    const { captured } = exchange;
    const { response } = captured;
    if (response === undefined) return;
    const before = this.stored(exchange);
    if (before !== undefined && isReload(before, exchange))
      this.#reloaders.add(owned(captured.edge.callee, captured.edge.caller));
    this.#store(exchange, ref, response);
    const card = servedCard(exchange);
    if (card === undefined) return;
    for (const name of cachingHeaders)
      if (header(response.headers, name) === undefined && this.#lacking.size < keptPlaces)
        this.#lacking.add(owned(captured.edge.callee, `${name} ${exchange.request.path}`));
    const key = owned(captured.edge.callee, placeOf(exchange));
    const place = this.#places.get(key) ?? { served: [] };
    if (!this.#places.has(key) && this.#places.size >= keptPlaces) return;
    this.#places.set(key, place);
    // The latest of each variant with the same content says all that the earlier ones say.
    const same = place.served.findIndex((each) => isSameServing(each, card));
    if (same !== -1) place.served.splice(same, 1);
    else if (place.served.length >= keptAnswers) place.served.shift();
    place.served.push(card);
  }

  #store(exchange: DecodedExchange, ref: ExchangeRef, response: CapturedResponse): void {
    const key = cacheKey(exchange);
    const before = this.#stored.get(key);
    const isUnchanged = response.status === 304 && before !== undefined;
    if (response.status !== 200 && !isUnchanged) return;
    if (before === undefined && this.#stored.size >= keptPlaces) return;
    const received = receivedCaching(response);
    this.#stored.set(key, {
      exchange: ref,
      // A 304 brings the fields that changed (RFC 9111 section 4.3.4).
      caching:
        isUnchanged && !received.hasCacheControl ? { ...before.caching, ageS: received.ageS } : received,
      atNs: response.atNs,
      timed: isTimed(exchange),
    });
  }
}

/** Loaded again in the same cell, though the stored card could have been used. */
function isReload(stored: StoredCard, exchange: DecodedExchange): boolean {
  const age = ageS(stored, exchange);
  return (
    stored.timed &&
    isTimed(exchange) &&
    stored.exchange.cell === exchange.captured.cell &&
    !isConditional(exchange) &&
    age >= 0 &&
    age < (freshForS(stored.caching) ?? 0)
  );
}

const isSameServing = (a: ServedCard, b: ServedCard): boolean =>
  a.bytes === b.bytes &&
  a.etag === b.etag &&
  a.asked.a2aVersion === b.asked.a2aVersion &&
  a.asked.authorization === b.asked.authorization;

function cacheKey(exchange: DecodedExchange): string {
  const { caller, callee } = exchange.captured.edge;
  const { a2aVersion, authorization } = askedVariant(exchange);
  return `${owned(callee, caller)}\u0000${placeOf(exchange)}\u0000${a2aVersion}\u0000${authorization}`;
}
