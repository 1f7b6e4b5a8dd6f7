import type { CellId, EdgeKind, FaultState, FaultSwitch } from '@plugfest/model';
import { globMatches, isJsonObject, PlugfestError } from '@plugfest/model';
import { z } from 'zod';
import type { Fault, PreparedFault } from './fault.ts';
import { type Random, randomOf } from './random.ts';
import { type FaultRequest, readRequest } from './request-meaning.ts';
import { isChosen, type Selectors, selectorSchema, selectors } from './selectors.ts';

/** Most faults at once. */
const maxFaults = 256;
/** Most callers, callees and cells that one fault counts for; then it acts no more, and says so. */
const maxCounted = 100_000;

/** The tap that an exchange goes through. */
export interface FaultPlace {
  readonly caller: string;
  readonly callee: string;
  readonly kind: EdgeKind;
  readonly cell: CellId | undefined;
}

/** A fault that is to act on an exchange. */
export interface ChosenFault {
  readonly id: string;
  readonly name: string;
  readonly prepared: PreparedFault;
  readonly random: Random;
  acted(): void;
  bypassed(): void;
}

interface Entry {
  readonly id: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly kind: Fault;
  readonly selectors: Selectors;
  readonly prepared: PreparedFault;
  readonly fits: (place: FaultPlace) => boolean;
  readonly needsBody: boolean;
  /** By place, how many exchanges fitted. */
  readonly counts: Map<string, number>;
  chosen: number;
  applied: number;
  bypassed: number;
}

/** The faults that may act on an exchange: which of them do is known when its request is. */
export interface Candidates {
  /** The request's body decides. */
  readonly needsBody: boolean;
  /** To be called once. */
  choose(request: FaultRequest): readonly ChosenFault[];
}

function fitsOf(kind: Fault, { edge, cell, enabled }: Selectors): (place: FaultPlace) => boolean {
  if (enabled === false) return () => false;
  const [caller, callee] = edge === undefined ? [] : edge.split('->').map((name) => name.trim());
  return (place) =>
    (kind.edges === undefined || kind.edges === place.kind) &&
    (caller === undefined || globMatches(caller, place.caller)) &&
    (callee === undefined || globMatches(callee, place.callee)) &&
    (cell === undefined || (place.cell !== undefined && globMatches(cell, place.cell)));
}

/** The faults of a session. They can be switched while it runs. */
export class FaultSet implements FaultSwitch {
  readonly kinds: ReadonlyMap<string, Fault>;
  private readonly seed: number;
  private readonly entries = new Map<string, Entry>();
  private numbered = 0;

  constructor(kinds: ReadonlyMap<string, Fault>, seed = 0) {
    this.kinds = kinds;
    this.seed = seed;
  }

  put(spec: unknown, id?: string): FaultState {
    const { fault, values } = this.parsed(spec);
    const name = id ?? values.id ?? `${fault.name}-${++this.numbered}`;
    if (id !== undefined && values.id !== undefined && id !== values.id)
      throw invalid([`id: is ${values.id}, but the fault is to be ${id}`]);
    const named = selectors.id.safeParse(name);
    if (!named.success)
      throw invalid(named.error.issues.map(({ message }) => `id: ${JSON.stringify(name)}: ${message}`));
    if (!this.entries.has(name) && this.entries.size >= maxFaults)
      throw invalid([`there are ${maxFaults} faults already, which is the most`]);
    const chosenBy = selectorSchema.parse({ ...values, id: name });
    const entry: Entry = {
      id: name,
      spec: { ...values, id: name },
      kind: fault,
      selectors: chosenBy,
      prepared: fault.prepare(values),
      fits: fitsOf(fault, chosenBy),
      needsBody: chosenBy.operation !== undefined || chosenBy.task !== undefined,
      counts: new Map(),
      chosen: 0,
      applied: 0,
      bypassed: 0,
    };
    this.entries.set(name, entry);
    return stateOf(entry);
  }

  delete(id: string): boolean {
    return this.entries.delete(id);
  }

  list(): readonly FaultState[] {
    return [...this.entries.values()].map(stateOf);
  }

  get(id: string): FaultState | undefined {
    const entry = this.entries.get(id);
    return entry && stateOf(entry);
  }

  /** What may act on an exchange at this place; undefined where nothing does. */
  at(place: FaultPlace): Candidates | undefined {
    if (this.entries.size === 0) return undefined;
    const candidates = [...this.entries.values()].filter(({ fits }) => fits(place));
    if (candidates.length === 0) return undefined;
    return {
      needsBody: candidates.some(({ needsBody }) => needsBody),
      choose: (request) => this.choose(candidates, place, request),
    };
  }

  private choose(
    candidates: readonly Entry[],
    place: FaultPlace,
    request: FaultRequest,
  ): readonly ChosenFault[] {
    const meaning = candidates.some(({ needsBody }) => needsBody)
      ? readRequest(request, place.kind)
      : undefined;
    return candidates.flatMap((entry) => {
      const { selectors, counts } = entry;
      const { operation, task, nth, times, probability } = selectors;
      if (entry.kind.requests === 'card' && !request.card) return [];
      if (operation !== undefined && ![operation].flat().includes(meaning?.operation ?? '')) return [];
      if (task !== undefined && meaning?.tasks.includes(task) !== true) return [];
      const key = JSON.stringify([place.caller, place.callee, place.kind, place.cell]);
      if (counts.size >= maxCounted && !counts.has(key)) return [];
      const ordinal = (counts.get(key) ?? 0) + 1;
      counts.set(key, ordinal);
      if (!isChosen(nth, ordinal)) return [];
      const random = randomOf(selectors.seed ?? this.seed, entry.id, key, ordinal);
      if (random.next() >= (probability ?? 1)) return [];
      if (times !== undefined && entry.chosen >= times) return [];
      entry.chosen += 1;
      return {
        id: entry.id,
        name: entry.kind.name,
        prepared: entry.prepared,
        random,
        acted: () => {
          entry.applied += 1;
        },
        bypassed: () => {
          entry.bypassed += 1;
        },
      };
    });
  }

  /** @throws PlugfestError PLUGFEST_FAULT_INVALID, with a line for each problem */
  private parsed(spec: unknown): {
    readonly fault: Fault;
    readonly values: Readonly<Record<string, unknown>> & { readonly id?: string };
  } {
    if (!isJsonObject(spec)) throw invalid(['a fault is an object']);
    const { fault: name } = spec;
    const fault = typeof name === 'string' ? this.kinds.get(name) : undefined;
    if (fault === undefined) throw invalid([`fault: one of ${[...this.kinds.keys()].join(', ')}`]);
    const result = fault.schema.safeParse(spec);
    if (result.success) return { fault, values: result.data as Readonly<Record<string, unknown>> };
    throw invalid(
      result.error.issues.slice(0, 20).map(({ path, message }) => [...path.map(String), message].join(': ')),
    );
  }
}

function invalid(problems: readonly string[]): PlugfestError {
  return new PlugfestError('PLUGFEST_FAULT_INVALID', problems.join('\n'), {
    hint: 'docs/faults.md has every fault with its parameters.',
  });
}

function stateOf({ id, spec, chosen, applied, bypassed }: Entry): FaultState {
  return { id, spec, exchanges: chosen, applied, bypassed };
}

/** JSON Schema (2020-12) of an entry, by kind of fault. */
export function faultSchemas(kinds: ReadonlyMap<string, Fault>): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...kinds].map(([name, { schema }]) => [name, z.toJSONSchema(schema)]));
}
