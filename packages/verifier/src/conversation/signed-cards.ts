import { hash } from 'node:crypto';
import { type CardView, canonicalCard, cardSignatures } from '@plugfest/a2a';
import type { ExchangeRef } from '../subjects.ts';

/** Signatures that are remembered, of all agents together. */
const keptSignatures = 1024;
/** Hops on which one signature is remembered. */
const keptHops = 8;

/** A hop on which a signed card was seen. */
export interface SignedSighting {
  readonly exchange: ExchangeRef;
  /** Digest of the canonical payload that the signature has to fit. */
  readonly payload: string;
}

const digests = new WeakMap<CardView, string>();

/** Digest of what a card's signatures sign (A2A 1.0 section 8.4.1). */
export function payloadDigest(card: CardView): string {
  const before = digests.get(card);
  if (before !== undefined) return before;
  const digest = hash('sha256', canonicalCard(card.value) ?? '').slice(0, 16);
  digests.set(card, digest);
  return digest;
}

/** On which hops the same signature was seen over which content, so that a card can be followed through a gateway. */
export class SignedCards {
  readonly #seen = new Map<string, SignedSighting[]>();

  add(card: CardView, exchange: ExchangeRef): void {
    for (const key of keysOf(card)) {
      const sightings = this.#seen.get(key) ?? [];
      const payload = payloadDigest(card);
      const isKnown = sightings.some(
        (seen) =>
          seen.payload === payload &&
          seen.exchange.edge.callee === exchange.edge.callee &&
          seen.exchange.edge.caller === exchange.edge.caller,
      );
      if (isKnown || sightings.length >= keptHops) continue;
      if (!this.#seen.has(key) && this.#seen.size >= keptSignatures) return;
      this.#seen.set(key, [...sightings, { exchange, payload }]);
    }
  }

  /** The sightings of each signature of a card. */
  of(card: CardView): readonly SignedSighting[] {
    return keysOf(card).flatMap((key) => this.#seen.get(key) ?? []);
  }
}

const keysOf = (card: CardView): readonly string[] =>
  Array.isArray(card.value.signatures)
    ? cardSignatures(card.value).flatMap((entry) =>
        entry.protected === undefined || entry.signature === undefined
          ? []
          : [hash('sha256', `${entry.protected}.${entry.signature}`).slice(0, 32)],
      )
    : [];
