import { type Binding, isJsonObject, type Json, type ProtocolVersion } from '@plugfest/model';
import type { CardInterface, CardView } from '../decoded.ts';
import { readJson } from '../json-text.ts';
import { withoutTrailingSlashes } from '../trailing-slashes.ts';
import { type CardHints, cardView, looksLikeCard } from '../views/card.ts';

export type ParsedCard =
  | { readonly card: CardView; readonly problems: readonly string[] }
  | { readonly card: undefined; readonly problems: readonly string[] };

/**
 * Parses a card, as text or as JSON. `problems` says why there is none, or what keeps it from being used: without an
 * interface that has a URL nobody can call the agent. Whether the card obeys the spec is for the rules to judge.
 */
export function parseCard(json: Json | string, hints: CardHints = {}): ParsedCard {
  let value: Json = json;
  if (typeof json === 'string') {
    const body = readJson(json, true, true);
    if (body.value === undefined) {
      return { card: undefined, problems: [`the card is no JSON: ${body.problem ?? body.state}`] };
    }
    value = body.value;
  }
  if (!isJsonObject(value)) return { card: undefined, problems: ['the card is no JSON object'] };
  if (!looksLikeCard(value)) {
    return {
      card: undefined,
      problems: ['the object is no agent card: it has neither interfaces nor skills'],
    };
  }
  const card = cardView(value, hints);
  const usable = [...card.interfaces, ...card.legacyInterfaces].some(
    ({ url }) => url !== undefined && url !== '',
  );
  return { card, problems: usable ? [] : ['the card names no interface with a URL'] };
}

export interface InterfaceWish {
  readonly binding?: Binding;
  readonly version?: ProtocolVersion;
}

/**
 * The first interface, in the card's order of preference, that has a URL and fits the wish (A2A 1.0 section 8.3.2).
 * The legacy members of a 1.0 card come last. An interface that names no version counts as 0.3 (section 3.6.2).
 */
export function selectInterface(card: CardView, wish: InterfaceWish = {}): CardInterface | undefined {
  return [...card.interfaces, ...card.legacyInterfaces].find(
    ({ url, binding, version }) =>
      url !== undefined &&
      url !== '' &&
      (wish.binding === undefined ? binding !== undefined : binding === wish.binding) &&
      (wish.version === undefined || (version ?? '0.3') === wish.version),
  );
}

/** Well-known path of the card from 0.3 on (A2A 1.0 section 8.2). */
export const wellKnownCardPath = '/.well-known/agent-card.json';
/** Well-known path of 0.1 and 0.2. */
export const legacyCardPath = '/.well-known/agent.json';

/**
 * Where the card of an agent may be, likeliest first: the URL itself where it names a JSON file; or else the
 * well-known path below the URL (agents mounted under a path), at its origin, and the legacy names of both.
 * Empty where the URL is no HTTP URL.
 */
export function cardUrls(baseUrl: string): readonly string[] {
  if (!URL.canParse(baseUrl)) return [];
  const url = new URL(baseUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return [];
  if (url.pathname.endsWith('.json')) return [url.href];
  const base = withoutTrailingSlashes(url.pathname);
  const places = base === '' ? [''] : [base, ''];
  return [wellKnownCardPath, legacyCardPath].flatMap((path) =>
    places.map((place) => `${url.origin}${place}${path}`),
  );
}
