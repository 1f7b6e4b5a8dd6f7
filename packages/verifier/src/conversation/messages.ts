import type { DecodedExchange, MessageView, PartView } from '@plugfest/a2a';
import type { ExchangeId } from '@plugfest/model';
import { digestParts } from '../digest.ts';
import type { ExchangeRef, HandedOn } from '../subjects.ts';
import { owned } from './owned.ts';

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

/** Which messageIds a caller used towards an agent and where first, and which messages were handed on. */
export class Messages {
  readonly #first = new Map<string, ExchangeId>();
  /** By messageId, for each pair of caller and agent the last exchange that carried it, in order. */
  readonly #carried = new Map<string, readonly Use[]>();
  readonly #relays = new Map<ExchangeId, Relay>();
  /** The heads of the newest requests that carried a message. */
  readonly #heads = new Map<ExchangeId, HandedOn>();

  add(exchange: ExchangeRef, messageId: string, parts: readonly PartView[], decoded: DecodedExchange): void {
    const { caller, callee } = exchange.edge;
    const key = owned(caller, owned(callee, messageId));
    if (!this.#first.has(key)) this.#first.set(key, exchange.id);
    const content = digestParts(parts);
    const before = this.#hopBefore(messageId, exchange.edge);
    if (before?.content === content) {
      const relay = { gateway: caller, first: before.exchange.id, second: exchange.id };
      this.#relays.set(relay.first, relay);
      this.#relays.set(relay.second, relay);
    }
    this.#keepUse(messageId, { exchange, content });
    this.#keepHead(headOf(decoded, exchange));
  }

  /** The hop on which a message came to the caller that sends it on now; asked before the exchange is added. */
  handedOn({ messageId, parts }: MessageView, edge: ExchangeRef['edge']): HandedOn | undefined {
    if (messageId === undefined) return undefined;
    const before = this.#hopBefore(messageId, edge);
    return before?.content === digestParts(parts) ? this.#heads.get(before.exchange.id) : undefined;
  }

  /** The last exchange that brought a message to the caller of another hop. */
  #hopBefore(messageId: string, edge: ExchangeRef['edge']): Use | undefined {
    return this.#carried.get(messageId)?.findLast((use) => isNextHop(use.exchange.edge, edge));
  }

  #keepUse(messageId: string, use: Use): void {
    const { caller, callee } = use.exchange.edge;
    const others = this.#carried
      .get(messageId)
      ?.filter(({ exchange: { edge } }) => edge.caller !== caller || edge.callee !== callee);
    this.#carried.set(messageId, others === undefined ? [use] : [...others.slice(1 - keptUses), use]);
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
    const uses = messageId === undefined ? undefined : this.#carried.get(messageId);
    const before = uses?.findLast(({ exchange }) => exchange.edge.caller === caller);
    return before && { exchange: before.exchange, isSame: before.content === digestParts(parts) };
  }

  firstUse(caller: string, agent: string, messageId: string): ExchangeId | undefined {
    return this.#first.get(owned(caller, owned(agent, messageId)));
  }

  /**
   * How the message of an exchange was handed on, where somebody did so: it had come to it, and went on to another agent under
   * the same messageId with the same content. An agent that works for others by itself makes messages of its own.
   */
  relayOf(exchange: ExchangeId): Relay | undefined {
    return this.#relays.get(exchange);
  }
}

const isNextHop = (before: ExchangeRef['edge'], next: ExchangeRef['edge']): boolean =>
  before.callee === next.caller && before.caller !== next.callee;

const headOf = ({ captured, dialect, request }: DecodedExchange, exchange: ExchangeRef): HandedOn => ({
  exchange,
  version: dialect?.version ?? '1.0',
  a2aVersion: request.a2aVersion,
  headers: captured.request.headers,
});
