import type { Cell, ExchangeSummary, Participant, RunId } from '@plugfest/model';
import { parseTraceparent, spanIdOf, spanIdOfTracestate, traceIdOf } from '@plugfest/model';
import type { Choice } from './choice.ts';
import { none, one, onlyEver, onlyOf, onlyOpen, several, vote } from './choice.ts';
import { Deliveries } from './deliveries.ts';
import type { Cause } from './evidence.ts';
import { candidateLimit, causedBy, confidenceOf } from './evidence.ts';
import type { Hop } from './hops.ts';
import { harnessNames } from './hops.ts';
import type { Group } from './inbound-calls.ts';
import { contextFacets, InboundCalls, idFacets, taskFacets, textFacets } from './inbound-calls.ts';

/** How long after a call ended a text that came with it may still be on its way. */
const textWindowNs = 30_000_000_000;
/** Ends of lists are looked through this far back, never whole lists. */
const scanLimit = 64;

export interface LinkerInput {
  readonly run: RunId;
  readonly participants: readonly Participant[];
  /** Where known: in its own cells an agent that drives acts on what the harness tells it. */
  readonly cells?: readonly Cell[];
}

/**
 * Walks the hops once, in order of time, and keeps what later hops may refer to. A hop can only be tied to what
 * came before it, so causes form a forest.
 */
export class Linker {
  readonly #hops: readonly Hop[];
  readonly #run: RunId;
  readonly #harness: ReadonlySet<string>;
  readonly #driverOf: ReadonlyMap<string, string>;
  readonly #inbound: InboundCalls;
  readonly #deliveries: Deliveries;
  readonly #bySpan = new Map<string, number>();
  readonly #cellOfTrace = new Map<string, string | undefined>();
  /** The last send of a caller to a callee about a task. */
  readonly #lastSend = new Map<string, number>();
  readonly #causes: (Cause | undefined)[] = [];

  constructor(hops: readonly Hop[], { run, participants, cells = [] }: LinkerInput) {
    this.#hops = hops;
    this.#deliveries = new Deliveries(hops);
    this.#run = run;
    this.#harness = harnessNames(participants);
    this.#driverOf = new Map(cells.map((cell) => [cell.id, cell.client]));
    const callers = new Set(hops.map((hop) => hop.summary.caller).filter((name) => !this.#harness.has(name)));
    this.#inbound = new InboundCalls(hops, callers);
  }

  /** The cause of each hop; undefined for hops that nothing in the log caused. */
  link(): readonly (Cause | undefined)[] {
    for (const [index, hop] of this.#hops.entries()) {
      const { summary } = hop;
      this.#inbound.advanceTo(summary.startNs);
      this.#causes.push(this.#harness.has(summary.caller) ? undefined : this.#causeOf(hop));
      this.#remember(index, hop);
    }
    return this.#causes;
  }

  #summary(index: number): ExchangeSummary | undefined {
    return this.#hops[index]?.summary;
  }

  #remember(index: number, hop: Hop): void {
    const { summary } = hop;
    for (const side of ['server', 'client'] as const) {
      this.#bySpan.set(spanIdOf(this.#run, summary.id, side), index);
    }
    const cell = summary.cell;
    const trace = cell ?? '';
    if (!this.#cellOfTrace.has(trace)) {
      this.#cellOfTrace.set(trace, undefined);
      this.#cellOfTrace.set(`trace:${traceIdOf(this.#run, cell)}`, cell);
    }
    this.#inbound.add(index);
    this.#deliveries.add(index, summary);
    if (hop.send) for (const key of taskKeys(summary)) this.#lastSend.set(key, index);
  }

  #causeOf(hop: Hop): Cause | undefined {
    const { summary } = hop;
    const delivery = summary.kind === 'webhook' ? this.#deliveries.causeOf(summary) : undefined;
    const exact = this.#bySpanId(summary, delivery?.also ?? []);
    if (exact !== undefined) return exact;
    if (delivery !== undefined) return delivery;
    if (summary.kind === 'webhook') return this.#unregisteredDelivery(summary);

    const traced = this.#traceGroup(summary);
    if (traced !== undefined) {
      const choice = this.#inTrace(hop, traced);
      if (choice.kind === 'one') return causedBy('trace-id', choice.index);
    }
    const told = this.#told(hop);
    if (told !== undefined) return causedBy('listener', told);
    if (!hop.send) {
      const followUp = this.#followUp(summary);
      if (followUp !== 'unknown') return followUp;
    }
    return traced === undefined ? this.#byCircumstances(hop) : this.#undecided(hop, [traced], false);
  }

  /** A span id of ours came back, in `traceparent` or beside the agent's own in `tracestate`. */
  #bySpanId(summary: ExchangeSummary, also: Cause['also']): Cause | undefined {
    const ids = [parseTraceparent(summary.traceparent)?.spanId, spanIdOfTracestate(summary.tracestate)];
    for (const id of ids) {
      const index = id === undefined ? undefined : this.#bySpan.get(id);
      if (index !== undefined) return causedBy('span-id', index, also);
    }
    return undefined;
  }

  /** Calls that gave the agent the trace context that it now sends, or another one of the same trace. */
  #traceGroup(summary: ExchangeSummary): Group | undefined {
    const context = parseTraceparent(summary.traceparent);
    if (context === undefined) return undefined;
    return (
      this.#inbound.inRun(summary.caller, `span:${context.traceId}:${context.spanId}`) ??
      this.#inbound.inRun(summary.caller, `trace:${context.traceId}`) ??
      this.#ours(summary, context)
    );
  }

  #inTrace(hop: Hop, group: Group): Choice {
    const ever = onlyOf([group.work, group.queries]);
    if (ever.kind === 'one') return ever;
    const open = onlyOpen([group], hop.send);
    if (open.kind === 'one') return open;
    const alike = this.#alike(hop, group);
    if (alike.kind === 'one' || open.kind === 'several') return alike;
    return this.#latestOfSequence(group);
  }

  /**
   * In the cell that an agent drives, it calls because the harness told it to: the only instruction under way at this
   * moment, whoever else calls it meanwhile. Cells have listeners of their own, so no other cell's call is among them.
   */
  #told({ summary }: Hop): number | undefined {
    const { caller, cell } = summary;
    if (cell === undefined || !this.#drives(summary)) return undefined;
    const open = this.#inbound.inCell(caller, cell)?.openWork ?? new Set<number>();
    if (open.size > scanLimit) return undefined;
    const told = onlyOf([[...open].filter((index) => this.#harness.has(this.#summary(index)?.caller ?? ''))]);
    return told.kind === 'one' ? told.index : undefined;
  }

  #drives({ caller, cell }: ExchangeSummary): boolean {
    return cell !== undefined && this.#driverOf.get(cell) === caller;
  }

  /** Calls of the cell whose trace this is, where what was forwarded has not been recorded. */
  #ours(summary: ExchangeSummary, context: { readonly traceId: string }): Group | undefined {
    const key = `trace:${context.traceId}`;
    if (!this.#cellOfTrace.has(key)) return undefined;
    const cell = this.#cellOfTrace.get(key);
    return cell === undefined ? undefined : this.#inbound.inCell(summary.caller, cell);
  }

  /** The last call of a trace, where calls came one after the other; among calls that overlapped, none. */
  #latestOfSequence(group: Group): Choice {
    const last = group.work.at(-1);
    if (last === undefined) return onlyOf([group.queries]);
    const before = group.work.slice(-scanLimit, -1).map((index) => this.#hops[index]?.activeUntilNs ?? 0);
    return Math.max(0, ...before) <= (this.#summary(last)?.startNs ?? 0) ? one(last) : several;
  }

  /** An operation on a task: it relays the same operation, or goes on with what made the task. */
  #followUp(summary: ExchangeSummary): Cause | undefined | 'unknown' {
    const relayed = vote(taskFacets(summary).map((facet) => this.#relayed(summary, facet)));
    if (relayed.kind === 'one') return causedBy('protocol-id', relayed.index);
    const sends = new Set<number>();
    for (const key of taskKeys(summary)) {
      const index = this.#lastSend.get(key);
      if (index !== undefined && this.#sameCell(index, summary)) sends.add(index);
    }
    const [send, another] = sends;
    if (send === undefined || another !== undefined) return 'unknown';
    const cause = this.#causes[send];
    if (cause?.parent === undefined) {
      return (
        cause && {
          method: 'none',
          confidence: 0,
          also: [{ index: send, reason: 'same-task' }, ...cause.also],
        }
      );
    }
    return causedBy('protocol-id', cause.parent, [], Math.min(confidenceOf['protocol-id'], cause.confidence));
  }

  #relayed(summary: ExchangeSummary, facet: string): Choice {
    const groups = this.#inbound.compatible(summary.caller, summary.cell, facet);
    const open = onlyOf(groups.flatMap((group) => [group.openWork, group.openQueries]));
    if (open.kind !== 'several') return open;
    const alike = groups
      .flatMap((group) => [...take(group.openQueries, scanLimit)])
      .filter((index) => this.#summary(index)?.operation === summary.operation);
    return onlyOf([alike]);
  }

  #sameCell(index: number, summary: ExchangeSummary): boolean {
    const cell = this.#summary(index)?.cell;
    return cell === undefined || summary.cell === undefined || cell === summary.cell;
  }

  /** Nothing names the cause: what is left is who was being answered, in which cell, and with what in hand. */
  #byCircumstances(hop: Hop): Cause | undefined {
    const { summary } = hop;
    const { caller, cell } = summary;
    // In a cell that the agent itself drives, a hop is not caused by whoever else happens to call meanwhile.
    const drives = this.#drives(summary);
    const listener = cell === undefined ? undefined : this.#inbound.inCell(caller, cell);
    if (listener !== undefined && !drives) {
      const choice = this.#soleOpen([listener], hop);
      if (choice.kind === 'one') return causedBy('listener', choice.index);
    }
    const groups = this.#inbound.compatible(caller, cell);
    const byIds = this.#byIds(hop);
    if (byIds.kind === 'one') return causedBy('protocol-id', byIds.index);
    const byText = this.#byText(hop);
    if (byText.kind === 'one') return causedBy('part-digest', byText.index);
    if (!drives) {
      const choice = this.#soleOpen(groups, hop);
      if (choice.kind === 'one') return causedBy('sole-open-call', choice.index);
    }
    return this.#undecided(hop, groups, drives);
  }

  /** A query that happens to be open causes nothing but the same query further on. */
  #soleOpen(groups: readonly Group[], hop: Hop): Choice {
    const choice = onlyOpen(groups, hop.send);
    if (choice.kind !== 'one') return choice;
    const cause = this.#hops[choice.index];
    const relayed = cause?.summary.kind === 'other' || cause?.summary.operation === hop.summary.operation;
    return cause?.tier === 'work' || relayed ? choice : none;
  }

  /** Tells the calls of a trace apart by the ids and texts that the hop shares with exactly one of them. */
  #alike(hop: Hop, within: Group): Choice {
    for (const choice of [this.#byIds(hop), this.#byText(hop)]) {
      if (choice.kind === 'one' && isMember(within, choice.index)) return choice;
    }
    return several;
  }

  #byIds(hop: Hop): Choice {
    const { caller, cell } = hop.summary;
    const groupsOf = idFacets(hop.summary).map((facet) => this.#inbound.compatible(caller, cell, facet));
    const open = vote([
      ...groupsOf.map((groups) => onlyOpen(groups, hop.send)),
      this.#conversation(hop.summary),
    ]);
    return open.kind === 'none' ? vote(groupsOf.map(onlyEver)) : open;
  }

  /**
   * A further message about a task of the same peer: caused by the call that the task was made for, or by a further
   * one of the same conversation. A context alone says less: an agent may use one for all it asks of a peer.
   */
  #conversation(summary: ExchangeSummary): Choice {
    const parents = new Set<number>();
    for (const key of taskKeys(summary)) {
      const send = this.#lastSend.get(key);
      const parent =
        send === undefined || !this.#sameCell(send, summary) ? undefined : this.#causes[send]?.parent;
      if (parent !== undefined) parents.add(parent);
    }
    const [parent, another] = parents;
    const first = parent === undefined || another !== undefined ? undefined : this.#summary(parent);
    if (first === undefined) return none;
    const groups = [...taskFacets(first), ...contextFacets(first)].flatMap((facet) =>
      this.#inbound.compatible(summary.caller, summary.cell, facet),
    );
    return onlyOf(groups.map((group) => group.openWork));
  }

  #byText(hop: Hop): Choice {
    const { caller, cell, startNs } = hop.summary;
    const groupsOf = textFacets(hop.summary).map((facet) => this.#inbound.compatible(caller, cell, facet));
    const open = vote(groupsOf.map((groups) => onlyOpen(groups, true)));
    if (open.kind !== 'none') return open;
    return vote(
      groupsOf.map((groups) =>
        onlyOf(
          groups.map((group) =>
            group.work
              .slice(-scanLimit)
              .filter((index) => (this.#hops[index]?.activeUntilNs ?? 0) >= startNs - textWindowNs),
          ),
        ),
      ),
    );
  }

  #undecided(hop: Hop, groups: readonly Group[], drives: boolean): Cause | undefined {
    const open = groups.flatMap((group) => [...take(group.openWork, candidateLimit)]);
    if (open.length === 0 && drives) return undefined;
    const earlier = groups.flatMap((group) => group.work.slice(-4));
    const relays = hop.send ? [] : groups.flatMap((group) => [...take(group.openQueries, candidateLimit)]);
    const also = [
      ...(open.length > 0 ? open : relays).map((index) => ({ index, reason: 'open-call' })),
      ...(open.length + relays.length > 0 ? [] : earlier.map((index) => ({ index, reason: 'earlier-call' }))),
    ]
      .sort((a, b) => a.index - b.index)
      .slice(0, candidateLimit);
    return also.length === 0 ? undefined : { method: 'none', confidence: 0, also };
  }

  /** Neither task nor registration is known: only a trace, or a sole send in the cell, can still tell. */
  #unregisteredDelivery(summary: ExchangeSummary): Cause {
    const { caller, cell } = summary;
    const context = parseTraceparent(summary.traceparent);
    const traced =
      context === undefined ? undefined : this.#inbound.inRun(caller, `trace:${context.traceId}`);
    const byTrace = traced === undefined ? none : onlyEver([traced]);
    if (byTrace.kind === 'one') return causedBy('trace-id', byTrace.index);
    const listener = cell === undefined ? undefined : this.#inbound.inCell(caller, cell);
    const sole = listener === undefined ? none : onlyEver([listener]);
    if (sole.kind === 'one') return causedBy('listener', sole.index);
    const candidates = this.#inbound
      .compatible(caller, cell)
      .flatMap((group) => group.work.slice(-candidateLimit));
    const also = candidates
      .sort((a, b) => a - b)
      .slice(-candidateLimit)
      .map((index) => ({ index, reason: 'earlier-call' }));
    return { method: 'none', confidence: 0, also };
  }
}

/** Members are in order of time. */
function isMember(group: Group, index: number): boolean {
  return [group.work, group.queries].some((list) => {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return list[low] === index;
  });
}

/** A peer's task ids are its own, so they are looked up between the same two parties only. */
const taskKeys = (summary: ExchangeSummary): string[] =>
  summary.taskIds.slice(0, 8).map((id) => `${summary.caller}\u0000${summary.callee}\u0000${id}`);

function take(set: ReadonlySet<number>, limit: number): Iterable<number> {
  return set.values().take(limit);
}
