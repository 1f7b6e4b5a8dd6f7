import { type CellId, type Purpose, type RunId, type TapSpec, traceIdOf } from '@plugfest/model';

/** What the requests of a tap belong to. It changes between cells where the tap's address does not. */
export class Assignment {
  readonly #spec: TapSpec;
  readonly #run: RunId;
  readonly #inject: boolean;
  #cell: CellId | undefined;
  #purpose: Purpose | undefined;
  #traceId: string | undefined;
  #place: Place;

  constructor(spec: TapSpec, run: RunId, inject: boolean) {
    this.#spec = spec;
    this.#run = run;
    this.#inject = inject;
    this.#place = placeOf(spec, spec.cell);
    this.#cell = spec.cell;
    this.#purpose = spec.purpose;
    this.#traceId = inject ? traceIdOf(run, spec.cell) : undefined;
  }

  to({
    cell,
    purpose,
  }: {
    readonly cell?: CellId | undefined;
    readonly purpose?: Purpose | undefined;
  }): void {
    this.#purpose = purpose;
    if (cell === this.#cell) return;
    this.#cell = cell;
    this.#place = placeOf(this.#spec, cell);
    this.#traceId = this.#inject ? traceIdOf(this.#run, cell) : undefined;
  }

  get cell(): CellId | undefined {
    return this.#cell;
  }

  get purpose(): Purpose | undefined {
    return this.#purpose;
  }

  /** Where faults look for what they act on; the same object while the cell is the same. */
  get place(): Place {
    return this.#place;
  }

  /** Trace to start for requests without one; absent where nothing is injected. */
  get traceId(): string | undefined {
    return this.#traceId;
  }
}

interface Place extends Pick<TapSpec, 'caller' | 'callee' | 'kind'> {
  readonly cell: CellId | undefined;
}

function placeOf({ caller, callee, kind }: TapSpec, cell: CellId | undefined): Place {
  return { caller, callee, kind, cell };
}
