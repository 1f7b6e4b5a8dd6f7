import type { PlannedCell } from './cells.ts';

/**
 * Runs cells, `width` at once. The next one is always of the pair of agents that has the least to do at the moment, so
 * that a slow agent keeps few of the places and the others go on; within a pair the order stays.
 */
export async function inParallel<One extends Pick<PlannedCell, 'client' | 'server'>>(
  cells: readonly One[],
  width: number,
  work: (cell: One) => Promise<void>,
): Promise<void> {
  const queues = [...Map.groupBy(cells, ({ client, server }) => `${client}>${server}`).values()].map(
    (queue) => [...queue],
  );
  const busy = new Map<string, number>();
  const load = ([first]: readonly One[]): number =>
    first === undefined ? Infinity : Math.max(busy.get(first.client) ?? 0, busy.get(first.server) ?? 0);
  const count = (cell: One, by: number): void => {
    // Plugfest's own client costs nobody anything.
    for (const name of [cell.server, ...(cell.client === 'plugfest' ? [] : [cell.client])])
      busy.set(name, (busy.get(name) ?? 0) + by);
  };
  const next = (): One | undefined => {
    let best: One[] | undefined;
    for (const queue of queues) if (best === undefined || load(queue) < load(best)) best = queue;
    return best?.shift();
  };
  const worker = async (): Promise<void> => {
    for (let cell = next(); cell !== undefined; cell = next()) {
      count(cell, 1);
      try {
        await work(cell);
      } finally {
        count(cell, -1);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, cells.length) }, worker));
}
