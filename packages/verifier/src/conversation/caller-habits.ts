import type { DecodedExchange } from '@plugfest/a2a';
import type { Binding, ProtocolVersion } from '@plugfest/model';
import type { ExchangeRef } from '../subjects.ts';
import { owned } from './owned.ts';

/** What a caller has shown of itself within one cell: in another cell it may be set up in another way. */
interface Habits {
  /** Bindings with their versions that it spoke. */
  readonly spoken: Set<string>;
  readonly called: Set<string>;
}

/** A call that found nobody: the connection failed before a response. */
export interface FailedConnection {
  readonly exchange: ExchangeRef;
  readonly binding: Binding;
  readonly version: ProtocolVersion;
  readonly path: string;
  /** The caller was served afterwards, there or elsewhere, or at least tried another path. */
  recovered: boolean;
}

const noHabits: Habits = { spoken: new Set(), called: new Set() };

const failedEnds: ReadonlySet<string> = new Set(['upstream-abort', 'reset']);

/** What callers can do and whom they called, as far as the capture shows it. */
export class CallerHabits {
  readonly #habits = new Map<string, Habits>();
  readonly #failures = new Map<string, FailedConnection>();

  /** A caller has spoken this binding and version before, in the same cell. */
  speaks({ captured }: DecodedExchange, binding: Binding, version: ProtocolVersion): boolean {
    return this.#of(captured.edge.caller, captured.cell).spoken.has(`${binding} ${version}`);
  }

  /** This is the caller's first call to the agent, in its cell. */
  isFirstCall({ captured }: DecodedExchange): boolean {
    return !this.#of(captured.edge.caller, captured.cell).called.has(captured.edge.callee);
  }

  /** The first call of a caller to an agent whose connection failed. */
  failure(caller: string, agent: string): FailedConnection | undefined {
    return this.#failures.get(owned(agent, caller));
  }

  add({ captured, dialect, request, response }: DecodedExchange, exchange: ExchangeRef): void {
    if (dialect === undefined) return;
    const { caller, callee } = captured.edge;
    const key = `${caller}\u0000${captured.cell ?? ''}`;
    let habits = this.#habits.get(key);
    if (habits === undefined) {
      habits = { spoken: new Set(), called: new Set() };
      this.#habits.set(key, habits);
    }
    habits.spoken.add(`${dialect.binding} ${dialect.version}`);
    habits.called.add(callee);
    const failure = this.#failures.get(owned(callee, caller));
    if (failure !== undefined) {
      if (response !== undefined || request.path !== failure.path) failure.recovered = true;
    } else if (response === undefined && failedEnds.has(captured.end.kind))
      this.#failures.set(owned(callee, caller), {
        exchange,
        binding: dialect.binding,
        version: dialect.version,
        path: request.path,
        recovered: false,
      });
  }

  #of(caller: string, cell: string | undefined): Habits {
    return this.#habits.get(`${caller}\u0000${cell ?? ''}`) ?? noHabits;
  }
}
