import type { DecodedExchange } from '@plugfest/a2a';
import { withoutTrailingSlashes } from '@plugfest/a2a';
import { headerValues, isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import type { CardSighting, Conversation } from '@plugfest/verifier';
import { v1 } from '@plugfest/verifier/examples';
import { itemsOf } from '../card/card-members.ts';
import { cardsNow } from '../declared-interfaces.ts';
import { onceForEach } from '../last-exchange.ts';

const header = 'a2a-extensions';

const none: ReadonlySet<string> = new Set();

function listed(values: readonly string[]): ReadonlySet<string> {
  if (values.length === 0) return none;
  const entries = values.flatMap((value) => value.slice(0, 16_384).split(','));
  return new Set(entries.map((entry) => entry.trim()).filter((entry) => entry !== ''));
}

/** The extensions that a client asks for, in the header or (gRPC) the metadata `A2A-Extensions`. */
export const requested = onceForEach(
  ({ captured }): ReadonlySet<string> => listed(headerValues(captured.request.headers, header)),
);

/** The extensions that the agent says are active; undefined where it says nothing. */
export const activated = onceForEach(({ captured }): ReadonlySet<string> | undefined => {
  const { response } = captured;
  if (response === undefined) return undefined;
  const inTrailers = response.trailers === undefined ? [] : headerValues(response.trailers, header);
  const values = headerValues(response.headers, header).concat(inTrailers);
  return values.length === 0 ? undefined : listed(values);
});

/** An extension as a card declares it. */
export interface Declaration {
  readonly value: JsonObject;
  readonly pointer: string;
}

export function declarationsIn(card: JsonObject): readonly Declaration[] {
  const { capabilities } = card;
  return isJsonObject(capabilities) ? itemsOf(capabilities, 'extensions', '/capabilities') : [];
}

const declaredByCards = new WeakMap<readonly CardSighting[], ReadonlySet<string>>();

/** Extensions that an agent's 1.0 cards declare, public or extended; undefined where no card was seen. */
export function declared(
  { captured }: DecodedExchange,
  conversation: Conversation,
): ReadonlySet<string> | undefined {
  const all = cardsNow(conversation, captured.edge.callee);
  const before = declaredByCards.get(all);
  if (before !== undefined) return before;
  const cards = all.filter(({ card }) => card.version === '1.0');
  if (cards.length === 0) return undefined;
  const uris = cards.flatMap(({ card }) => declarationsIn(card.value).map(({ value }) => value.uri));
  const found = new Set(uris.filter((uri) => typeof uri === 'string'));
  declaredByCards.set(all, found);
  return found;
}

const requiredByCards = new WeakMap<readonly CardSighting[], readonly string[]>();

/** Extensions that every public 1.0 card of an agent declares as required. */
export function requiredBy({ captured }: DecodedExchange, conversation: Conversation): readonly string[] {
  const cards = cardsNow(conversation, captured.edge.callee);
  const before = requiredByCards.get(cards);
  if (before !== undefined) return before;
  const [first, ...others] = cards
    .filter(({ card, extended }) => card.version === '1.0' && !extended)
    .map(({ card }) => requiredIn(card.value));
  const found = [...(first ?? [])].filter((uri) => others.every((required) => required.has(uri)));
  requiredByCards.set(cards, found);
  return found;
}

const requiredIn = (card: JsonObject): ReadonlySet<string> =>
  new Set(
    declarationsIn(card).flatMap(({ value }) =>
      value.required === true && typeof value.uri === 'string' ? [value.uri] : [],
    ),
  );

const noExtensions: readonly string[] = [];

/** The `extensions` member of a message or an artifact. */
export function extensionsOf(value: Json | undefined): readonly string[] {
  if (!isJsonObject(value) || !Array.isArray(value.extensions)) return noExtensions;
  return value.extensions.filter((uri: Json) => typeof uri === 'string');
}

/** A URI without the version at its end, by which two versions of one extension are known. */
export function familyOf(uri: string): string {
  const whole = withoutTrailingSlashes(uri).slice(0, 2048);
  const end = Math.max(...['/', ':', '#', '@', '-', '_', '='].map((mark) => whole.lastIndexOf(mark)));
  return end > 0 && /^v?\d[\d.]{0,20}$/i.test(whole.slice(end + 1)) ? whole.slice(0, end) : whole;
}

/** Two versions of the same extension. */
export const isSibling = (a: string, b: string): boolean => familyOf(a) === familyOf(b);

/** Extensions of the examples. */
export const geo = 'https://extensions.example/geo/v1';
export const geo2 = 'https://extensions.example/geo/v2';
export const cite = 'https://extensions.example/cite/v1';

/** A card that declares extensions. */
export const cardWith = (...extensions: readonly JsonObject[]) =>
  v1.card({ capabilities: { streaming: true, pushNotifications: true, extensions } });
