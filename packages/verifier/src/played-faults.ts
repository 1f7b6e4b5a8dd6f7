import type { DecodedExchange } from '@plugfest/a2a';
import type { CapturedExchange, FindingLocation } from '@plugfest/model';
import type { ExchangeIdentity } from './subjects.ts';

interface Played {
  /** The callee got something else than the caller sent, or later, or not at all. */
  readonly request: boolean;
  /** The same of the caller and the response. */
  readonly response: boolean;
}

/** What faults did to an exchange; undefined where none acted. */
function playedIn({ changes, end }: Pick<CapturedExchange, 'changes' | 'end'>): Played | undefined {
  let request = false;
  let response = end.kind === 'fault';
  for (const { reason, side } of changes) {
    if (!reason.startsWith('fault-')) continue;
    if (side === 'request') request = true;
    else response = true;
  }
  return request || response ? { request, response } : undefined;
}

const pairOf = (party: string, other: string, cell: string | undefined): string =>
  JSON.stringify([party, other, cell]);

/**
 * Whom faults that a lab played have misled. A capture holds what was sent; what reached the other side was another
 * thing. So nobody is judged by what it did after it had been misled by its peer's seeming traffic in this cell: what it
 * did may have been right for what it had seen.
 */
export class PlayedFaults {
  readonly #misled = new Set<string>();
  /** What was played in the exchange that is judged at the moment. */
  #current: { readonly id: string; readonly played: Played } | undefined;

  /** Before an exchange is judged. */
  begin({ captured: { id, edge, cell, changes, end } }: DecodedExchange): void {
    const played = playedIn({ changes, end });
    this.#current = played && { id, played };
    // The answer is one to the request as it came.
    if (played?.request) this.#misled.add(pairOf(edge.callee, edge.caller, cell));
  }

  /** After it was judged: its request was sent before anything of it was played. */
  end({ captured: { edge, cell }, kind, operation }: DecodedExchange): void {
    if (this.#current === undefined) return;
    this.#current = undefined;
    this.#misled.add(pairOf(edge.caller, edge.callee, cell));
    // Who goes by another card calls what the agent never said that it has; nothing else binds its answers.
    if (kind === 'card' || operation === 'GetExtendedAgentCard')
      this.#misled.add(pairOf(edge.callee, edge.caller, cell));
  }

  /** True where a finding against an agent, about an exchange, may come from a fault that was played. */
  excuse(
    agent: string,
    { id, edge, cell }: ExchangeIdentity,
    at: Pick<FindingLocation, 'side'> | undefined,
  ): boolean {
    const { caller, callee } = edge;
    const current = this.#current;
    // What a caller sent, it sent before; what it made of the answer, such as leaving, is another thing.
    if (current?.id === id && agent === caller && at?.side !== 'request') return true;
    if (this.#misled.size === 0) return false;
    return this.#misled.has(pairOf(agent, agent === caller ? callee : caller, cell));
  }
}
