import { createHash } from 'node:crypto';
import type { ScenarioContext } from '../scenario/context.ts';
import type { CellWorld } from './cell-world.ts';

type On = NonNullable<Parameters<ScenarioContext['fault']>[1]>;

/** Plays the faults of one cell. */
export function faultsOf({
  cell,
  faults,
  signal,
}: Pick<CellWorld, 'cell' | 'faults' | 'signal'>): (
  spec: Parameters<ScenarioContext['fault']>[0],
  on: On,
) => ReturnType<ScenarioContext['fault']> {
  let played = 0;
  return (spec, { from, to }) => {
    if (faults === undefined) throw new Error('the interposer of this run plays no faults');
    const participants = { client: cell.client, server: cell.server, webhook: 'plugfest' };
    const edge = `${participants[from]} -> ${participants[to]}`;
    const id = faultId(cell.id, ++played);
    faults.put({ ...spec, edge, cell: cell.id }, id);
    // What it did is still told after its end.
    let last = 0;
    const applied = (): number => {
      last = faults.get(id)?.applied ?? last;
      return last;
    };
    const stop = (): void => {
      applied();
      faults.delete(id);
    };
    signal.addEventListener('abort', stop, { once: true });
    return { applied, stop };
  };
}

/** Of the cell's own, the same in each run, so that what a fault draws by it is the same, too. */
function faultId(cell: string, number: number): string {
  return `cell-${createHash('sha256').update(cell).digest('hex').slice(0, 16)}-${number}`;
}
