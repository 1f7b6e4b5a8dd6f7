import type { ExchangeSummary } from '@plugfest/model';
import type { Hop } from './hops.ts';

/** Inbound calls of one agent that have something in common, by place in time. */
export interface Group {
  /** Calls that the agent was still at work for, at the moment reached. */
  readonly openWork: ReadonlySet<number>;
  readonly openQueries: ReadonlySet<number>;
  /** All calls so far, in order of time. */
  readonly work: readonly number[];
  readonly queries: readonly number[];
}

interface OpenGroup extends Group {
  readonly openWork: Set<number>;
  readonly openQueries: Set<number>;
  readonly work: number[];
  readonly queries: number[];
}

/** What the calls of a group have in common; '' for all calls of a scope. */
export type Facet = string;

/** Scopes beside the cells. No cell has such a name. */
export const anyCell = '\u0001any';
export const noCell = '\u0001none';

const idLength = 16;

/** Short ids ("task-1") are handed out by more than one agent, so across agents they are no evidence. */
const distinctive = (id: string): boolean => id.length >= idLength;

const prefixed = (prefix: string, ids: readonly string[]): Facet[] =>
  ids.filter(distinctive).map((id) => `${prefix}:${id}`);

/** Protocol ids in the form in which calls are found by them. */
export const taskFacets = (summary: ExchangeSummary): Facet[] => prefixed('task', summary.taskIds);
export const contextFacets = (summary: ExchangeSummary): Facet[] => prefixed('context', summary.contextIds);

export function idFacets(summary: ExchangeSummary): Facet[] {
  return [
    ...prefixed('message', summary.messageIds),
    ...taskFacets(summary),
    ...prefixed('task', summary.referenceTaskIds),
    ...prefixed('reference', summary.referenceTaskIds),
    ...contextFacets(summary),
    ...prefixed('push', summary.pushTokens),
    ...prefixed('push', summary.pushUrls),
  ];
}

export const textFacets = (summary: ExchangeSummary): Facet[] =>
  summary.partDigests.map((digest) => `text:${digest}`);

/** A list of many tasks would tie its caller to all of them. */
const facetLimit = 64;

/**
 * The calls that each agent was answering, moving forward in time. Every question costs the same however many
 * calls there were: groups are kept by agent, cell and facet, and calls leave them when their work ends.
 */
export class InboundCalls {
  readonly #hops: readonly Hop[];
  readonly #groups = new Map<string, OpenGroup>();
  readonly #memberships: (readonly Set<number>[])[] = [];
  readonly #byEnd: readonly number[];
  readonly #callers: ReadonlySet<string>;
  #expired = 0;

  /** `callers`: the agents whose calls will be asked about; nobody else's inbound calls are kept. */
  constructor(hops: readonly Hop[], callers: ReadonlySet<string>) {
    this.#hops = hops;
    this.#callers = callers;
    const end = (index: number): number => hops[index]?.activeUntilNs ?? 0;
    this.#byEnd = hops
      .map((_, index) => index)
      .filter((index) => end(index) !== Number.POSITIVE_INFINITY)
      .sort((a, b) => end(a) - end(b) || a - b);
  }

  /** Drops the calls whose work ended before this moment. A call that ends exactly now is still open. */
  advanceTo(nowNs: number): void {
    for (; this.#expired < this.#byEnd.length; this.#expired++) {
      const index = this.#byEnd[this.#expired] ?? 0;
      if ((this.#hops[index]?.activeUntilNs ?? 0) >= nowNs) return;
      for (const set of this.#memberships[index] ?? []) set.delete(index);
      delete this.#memberships[index];
    }
  }

  /** Adds a call, once everything it could have caused comes later. */
  add(index: number): void {
    const hop = this.#hops[index];
    if (hop?.tier === undefined || !this.#callers.has(hop.summary.callee)) return;
    const { summary, tier, given } = hop;
    const facets = new Set<Facet>(['', ...idFacets(summary), ...textFacets(summary)].slice(0, facetLimit));
    const keys: string[] = [];
    for (const facet of facets) {
      keys.push(
        scoped(summary.callee, summary.cell ?? noCell, facet),
        scoped(summary.callee, anyCell, facet),
      );
    }
    if (given !== undefined) {
      keys.push(
        scoped(summary.callee, anyCell, `trace:${given.traceId}`),
        scoped(summary.callee, anyCell, `span:${given.traceId}:${given.spanId}`),
      );
    }
    this.#memberships[index] = keys.map((key) => {
      let group = this.#groups.get(key);
      if (group === undefined) {
        group = { openWork: new Set(), openQueries: new Set(), work: [], queries: [] };
        this.#groups.set(key, group);
      }
      (tier === 'work' ? group.work : group.queries).push(index);
      const open = tier === 'work' ? group.openWork : group.openQueries;
      open.add(index);
      return open;
    });
  }

  /** Calls of an agent in one cell. */
  inCell(agent: string, cell: string, facet: Facet = ''): Group | undefined {
    return this.#groups.get(scoped(agent, cell, facet));
  }

  /** Calls of an agent in the whole run. */
  inRun(agent: string, facet: Facet = ''): Group | undefined {
    return this.#groups.get(scoped(agent, anyCell, facet));
  }

  /** Calls of an agent that a hop of this cell may have come from: those of the cell, and those of none. */
  compatible(agent: string, cell: string | undefined, facet: Facet = ''): readonly Group[] {
    const groups =
      cell === undefined
        ? [this.inRun(agent, facet)]
        : [this.inCell(agent, cell, facet), this.inCell(agent, noCell, facet)];
    return groups.filter((group) => group !== undefined);
  }
}

const scoped = (agent: string, scope: string, facet: Facet): string => `${agent}\u0000${scope}\u0000${facet}`;
