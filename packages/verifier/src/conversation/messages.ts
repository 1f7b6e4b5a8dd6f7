import type { DecodedExchange, MessageView, PartView } from '@plugfest/a2a';
import type { ExchangeId } from '@plugfest/model';
import { digestParts } from '../digest.ts';
import type { ExchangeRef, HandedOn } from '../subjects.ts';
import { owned } from './owned.ts';

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

/** Which messageIds a caller used towards an agent and where first, and which messages were handed on. */
export class Messages {
  readonly #first = new Map<string, ExchangeId>();
  /** By messageId, the last exchange that carried it, and what it said. */
  readonly #carried = new Map<string, { readonly exchange: ExchangeRef; readonly content: string }>();
  readonly #relays = new Map<ExchangeId, Relay>();
  /** By messageId, the heads of the newest requests that carried one. */
  readonly #heads = new Map<string, HandedOn>();

  add(exchange: ExchangeRef, messageId: string, parts: readonly PartView[], decoded: DecodedExchange): void {
    const { caller, callee } = exchange.edge;
    const key = owned(caller, owned(callee, messageId));
    if (!this.#first.has(key)) this.#first.set(key, exchange.id);
    const content = digestParts(parts);
    const before = this.#carried.get(messageId);
    if (before?.content === content && isNextHop(before.exchange.edge, exchange.edge)) {
      const relay = { gateway: caller, first: before.exchange.id, second: exchange.id };
      this.#relays.set(relay.first, relay);
      this.#relays.set(relay.second, relay);
    }
    this.#carried.set(messageId, { exchange, content });
    this.#keepHead(messageId, headOf(decoded, exchange));
  }

  /** The hop on which a message came to the caller that sends it on now; asked before the exchange is added. */
  handedOn({ messageId, parts }: MessageView, edge: ExchangeRef['edge']): HandedOn | undefined {
    if (messageId === undefined) return undefined;
    const before = this.#carried.get(messageId);
    if (before === undefined || !isNextHop(before.exchange.edge, edge)) return undefined;
    const head = this.#heads.get(messageId);
    return head?.exchange === before.exchange && before.content === digestParts(parts) ? head : undefined;
  }

  #keepHead(messageId: string, head: HandedOn): void {
    this.#heads.delete(messageId);
    this.#heads.set(messageId, head);
    for (const oldest of this.#heads.keys()) {
      if (this.#heads.size <= keptHeads) break;
      this.#heads.delete(oldest);
    }
  }

  /** The last use of a messageId, if it was this caller's: where, and whether it said the same then. */
  lastUse(caller: string, { messageId, parts }: MessageView): MessageUse | undefined {
    const before = messageId === undefined ? undefined : this.#carried.get(messageId);
    if (before === undefined || before.exchange.edge.caller !== caller) return undefined;
    return { exchange: before.exchange, isSame: before.content === digestParts(parts) };
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
