import type { DecodedExchange } from '@plugfest/a2a';
import type { Binding, ProtocolVersion } from '@plugfest/model';

/** What a caller has shown of itself within one cell: in another cell it may be set up in another way. */
interface Habits {
  /** Bindings with their versions that it spoke. */
  readonly spoken: Set<string>;
  readonly called: Set<string>;
}

const noHabits: Habits = { spoken: new Set(), called: new Set() };

/** What callers can do and whom they called, as far as the capture shows it. */
export class CallerHabits {
  readonly #habits = new Map<string, Habits>();

  /** A caller has spoken this binding and version before, in the same cell. */
  speaks({ captured }: DecodedExchange, binding: Binding, version: ProtocolVersion): boolean {
    return this.#of(captured.edge.caller, captured.cell).spoken.has(`${binding} ${version}`);
  }

  /** This is the caller's first call to the agent, in its cell. */
  isFirstCall({ captured }: DecodedExchange): boolean {
    return !this.#of(captured.edge.caller, captured.cell).called.has(captured.edge.callee);
  }

  add({ captured, dialect }: DecodedExchange): void {
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
  }

  #of(caller: string, cell: string | undefined): Habits {
    return this.#habits.get(`${caller}\u0000${cell ?? ''}`) ?? noHabits;
  }
}
