import type { DecodedExchange, MessageView, PartView } from '@plugfest/a2a';
import type { ExchangeId } from '@plugfest/model';
import { ColdMap, type Warmth } from '../cold/cold-map.ts';
import { digestParts } from '../digest.ts';
import { knownEventTimes } from '../event-times.ts';
import type { ExchangeRef, HandedOn } from '../subjects.ts';

/** Callers and agents that are remembered of one messageId: ids are unique, or reused by few. */
const keptUses = 8;

/** A gateway sends a message on while its sender waits: heads of older ones need not be kept. */
const keptHeads = 1024;

/** The two hops of a message on its way through a gateway. */
export interface Relay {
  readonly gateway: string;
  readonly first: ExchangeId;
  readonly second: ExchangeId;
}

/** An earlier message with the same id. */
export interface MessageUse {
  readonly exchange: ExchangeRef;
  readonly isSame: boolean;
}

interface Use {
  readonly exchange: ExchangeRef;
  /** What the message said. */
  readonly content: string;
}

/** What is known of a messageId. */
interface Known {
  /** Between whom it was used first where, as caller, agent and exchange one after the other. */
  readonly first: string[];
  /** For each pair of caller and agent the last exchange that carried it, in order. */
  uses: readonly Use[];
}

const noUses: readonly Use[] = [];

/** Which messageIds a caller used towards an agent and where first, and which messages were handed on. */
export class Messages {
  readonly #known: ColdMap<Known>;
  readonly #relays = new Map<ExchangeId, Relay>();
  /** The heads of the newest requests that carried a message. */
  readonly #heads = new Map<ExchangeId, HandedOn>();
  #asked: { readonly message: MessageView; readonly head: HandedOn | undefined } | undefined;

  constructor(warmth?: Warmth) {
    this.#known = new ColdMap(warmth);
  }

  add(exchange: ExchangeRef, messageId: string, parts: readonly PartView[], decoded: DecodedExchange): void {
    const { caller, callee } = exchange.edge;
    this.#asked = undefined;
    let known = this.#known.edit(messageId);
    if (known === undefined) {
      known = { first: [], uses: noUses };
      this.#known.set(messageId, known);
    }
    if (firstIn(known.first, caller, callee) === undefined) known.first.push(caller, callee, exchange.id);
    const content = digestParts(parts);
    const before = hopBefore(known.uses, exchange.edge);
    if (before?.content === content) {
      const relay = { gateway: caller, first: before.exchange.id, second: exchange.id };
      this.#relays.set(relay.first, relay);
      this.#relays.set(relay.second, relay);
    }
    known.uses = withUse(known.uses, { exchange, content });
    this.#keepHead(headOf(decoded, exchange));
  }

  /** The hop on which a message came to the caller that sends it on now; asked before the exchange is added. */
  handedOn(message: MessageView, edge: ExchangeRef['edge']): HandedOn | undefined {
    // Several rules ask of the same message before the next one is added.
    if (this.#asked?.message !== message) this.#asked = { message, head: this.#headBefore(message, edge) };
    return this.#asked.head;
  }

  #headBefore({ messageId, parts }: MessageView, edge: ExchangeRef['edge']): HandedOn | undefined {
    if (messageId === undefined) return undefined;
    const before = hopBefore(this.#usesOf(messageId), edge);
    return before?.content === digestParts(parts) ? this.#heads.get(before.exchange.id) : undefined;
  }

  #usesOf(messageId: string): readonly Use[] {
    return this.#known.get(messageId)?.uses ?? noUses;
  }

  #keepHead(head: HandedOn): void {
    this.#heads.set(head.exchange.id, head);
    for (const oldest of this.#heads.keys()) {
      if (this.#heads.size <= keptHeads) break;
      this.#heads.delete(oldest);
    }
  }

  /** A caller's last use of a messageId: where, and whether it said the same then. */
  lastUse(caller: string, { messageId, parts }: MessageView): MessageUse | undefined {
    const uses = messageId === undefined ? noUses : this.#usesOf(messageId);
    const before = uses.findLast(({ exchange }) => exchange.edge.caller === caller);
    return before && { exchange: before.exchange, isSame: before.content === digestParts(parts) };
  }

  firstUse(caller: string, agent: string, messageId: string): ExchangeId | undefined {
    const known = this.#known.get(messageId);
    return known && firstIn(known.first, caller, agent);
  }

  /**
   * How the message of an exchange was handed on, where somebody did so: it had come to it, and went on to another agent under
   * the same messageId with the same content. An agent that works for others by itself makes messages of its own.
   */
  relayOf(exchange: ExchangeId): Relay | undefined {
    return this.#relays.get(exchange);
  }
}

function firstIn(first: readonly string[], caller: string, agent: string): ExchangeId | undefined {
  for (let i = 0; i + 2 < first.length; i += 3)
    if (first[i] === caller && first[i + 1] === agent) return first[i + 2] as ExchangeId;
  return undefined;
}

/** The last exchange that brought a message to the caller of another hop. */
const hopBefore = (uses: readonly Use[], edge: ExchangeRef['edge']): Use | undefined =>
  uses.findLast((use) => isNextHop(use.exchange.edge, edge));

function withUse(uses: readonly Use[], use: Use): readonly Use[] {
  if (uses.length === 0) return [use];
  const { caller, callee } = use.exchange.edge;
  const others = uses.filter(({ exchange: { edge } }) => edge.caller !== caller || edge.callee !== callee);
  return [...others.slice(1 - keptUses), use];
}

const isNextHop = (before: ExchangeRef['edge'], next: ExchangeRef['edge']): boolean =>
  before.callee === next.caller && before.caller !== next.callee;

const headOf = (
  { captured, dialect, request, response }: DecodedExchange,
  exchange: ExchangeRef,
): HandedOn => ({
  exchange,
  version: dialect?.version ?? '1.0',
  a2aVersion: request.a2aVersion,
  headers: captured.request.headers,
  error: response?.error ?? response?.events?.[0]?.error,
  answeredAtNs: captured.timesSynthetic === true ? undefined : captured.response?.atNs,
  firstEventAtNs: knownEventTimes(captured, response?.events)?.[0],
});
