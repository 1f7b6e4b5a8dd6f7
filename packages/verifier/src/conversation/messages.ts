import type { PartView } from '@plugfest/a2a';
import type { ExchangeId } from '@plugfest/model';
import { digestParts } from '../digest.ts';
import type { ExchangeRef } from '../subjects.ts';
import { owned } from './owned.ts';

/** Which messageIds a caller used towards an agent and where first, and which messages were handed on. */
export class Messages {
  readonly #first = new Map<string, ExchangeId>();
  /** By messageId, the last exchange that carried it, and what it said. */
  readonly #carried = new Map<string, { readonly exchange: ExchangeRef; readonly content: string }>();
  readonly #relays = new Map<ExchangeId, string>();

  add(exchange: ExchangeRef, messageId: string, parts: readonly PartView[]): void {
    const { caller, callee } = exchange.edge;
    const key = owned(caller, owned(callee, messageId));
    if (!this.#first.has(key)) this.#first.set(key, exchange.id);
    const content = digestParts(parts);
    const before = this.#carried.get(messageId);
    if (before?.content === content && isNextHop(before.exchange, exchange)) {
      this.#relays.set(before.exchange.id, caller);
      this.#relays.set(exchange.id, caller);
    }
    this.#carried.set(messageId, { exchange, content });
  }

  firstUse(caller: string, agent: string, messageId: string): ExchangeId | undefined {
    return this.#first.get(owned(caller, owned(agent, messageId)));
  }

  /**
   * Who handed the message of an exchange on, where somebody did: it had come to it, and went on to another agent under
   * the same messageId with the same content. An agent that works for others by itself makes messages of its own.
   */
  relayOf(exchange: ExchangeId): string | undefined {
    return this.#relays.get(exchange);
  }
}

const isNextHop = (before: ExchangeRef, next: ExchangeRef): boolean =>
  before.edge.callee === next.edge.caller && before.edge.caller !== next.edge.callee;
