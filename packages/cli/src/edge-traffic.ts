import type { CaptureSink, CellId } from '@plugfest/model';

interface Edge {
  readonly caller: string;
  readonly callee: string;
}

const key = (caller: string, callee: string, cell: CellId | undefined): string =>
  JSON.stringify([caller, callee, cell ?? '']);

/** Counts calls while they are recorded, for who has to know during a run whether anything came. */
export class EdgeTraffic {
  readonly #edges = new Map<string, Edge>();
  readonly #calls = new Map<string, number>();

  /** The same sink, looked at. */
  watching(sink: CaptureSink): CaptureSink {
    return {
      run: sink.run,
      record: (event) => {
        if (event.kind === 'edge') this.#edges.set(event.edge.id, event.edge);
        // A GET is how cards are fetched: no message gets anywhere by it.
        if (event.kind === 'request-head' && event.method === 'POST') {
          const edge = this.#edges.get(event.edge);
          if (edge !== undefined) this.#count(edge, event.cell);
        }
        sink.record(event);
      },
      flush: () => sink.flush(),
      close: () => sink.close(),
    };
  }

  /** Calls that a caller has begun in a cell. */
  calls(caller: string, callee: string, cell: CellId): number {
    return this.#calls.get(key(caller, callee, cell)) ?? 0;
  }

  #count({ caller, callee }: Edge, cell: CellId | undefined): void {
    const at = key(caller, callee, cell);
    this.#calls.set(at, (this.#calls.get(at) ?? 0) + 1);
  }
}
