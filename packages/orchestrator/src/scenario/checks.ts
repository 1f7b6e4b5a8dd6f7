/** One thing that a scenario looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail?: string;
}

/** Ends a scenario whose later steps have no meaning; the failed check is already recorded. */
export class ScenarioStopped extends Error {
  override readonly name = 'ScenarioStopped';
}

/** The checks of one cell, in the order made. */
export class Checks {
  readonly #list: Check[] = [];

  get list(): readonly Check[] {
    return this.#list;
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

  /** The first failure as a sentence; undefined where all held. */
  failure(): string | undefined {
    const failed = this.#list.find(({ ok }) => !ok);
    return failed && failureText(failed);
  }
}

export function failureText({ name, detail }: Check): string {
  return `not true that ${name}${detail === undefined ? '' : `: ${detail}`}`;
}
