import type { ExchangeId } from '@plugfest/model';
import { owned } from './owned.ts';

/** Which messageIds a caller used towards an agent, and where first. */
export class Messages {
  readonly #first = new Map<string, ExchangeId>();

  add(caller: string, agent: string, messageId: string, exchange: ExchangeId): void {
    const key = owned(caller, owned(agent, messageId));
    if (!this.#first.has(key)) this.#first.set(key, exchange);
  }

  firstUse(caller: string, agent: string, messageId: string): ExchangeId | undefined {
    return this.#first.get(owned(caller, owned(agent, messageId)));
  }
}
