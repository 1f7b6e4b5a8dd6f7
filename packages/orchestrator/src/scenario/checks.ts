import type { CellCheck } from '@plugfest/model';

/** One thing that a scenario looked at. */
export type Check = CellCheck;

/** What the specification recommends, and where. */
export interface Advice {
  /** Of the 1.0 text, e.g. `13.4`. */
  readonly section: string;
  /** What was there instead. */
  readonly detail: string;
}

/** Ends a scenario whose later steps have no meaning; the failed check is already recorded. */
export class ScenarioStopped extends Error {
  override readonly name = 'ScenarioStopped';
}

/** The checks of one cell, in the order made. */
export class Checks {
  readonly #list: Check[] = [];
  readonly #notes: string[] = [];

  get list(): readonly Check[] {
    return this.#list;
  }

  /** What did not hold, though it is recommended. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Records whether something held; `detail` says what was there instead and is kept for failures only. */
  check(name: string, ok: boolean, detail?: string): boolean {
    this.#list.push({ name, ok, ...(ok || detail === undefined ? {} : { detail }) });
    return ok;
  }

  /** As `check`, and ends the scenario where it does not hold. */
  require(name: string, ok: boolean, detail?: string): asserts ok {
    if (!this.check(name, ok, detail)) throw new ScenarioStopped(name);
  }

  /** As `check`, for what the specification only recommends: where it does not hold, nothing has failed. */
  advise(name: string, ok: boolean, { section, detail }: Advice): boolean {
    this.#list.push({ name, ok, level: 'SHOULD', ...(ok ? {} : { detail }) });
    if (!ok)
      this.#notes.push(`${failureText({ name, ok, detail })} (a SHOULD of A2A 1.0 section ${section})`);
    return ok;
  }

  /** The first failure as a sentence; undefined where all held. */
  failure(): string | undefined {
    const failed = this.#list.find(({ ok, level }) => !ok && level === undefined);
    return failed && failureText(failed);
  }
}

export function failureText({ name, detail }: Check): string {
  return `not true that ${name}${detail === undefined ? '' : `: ${detail}`}`;
}
