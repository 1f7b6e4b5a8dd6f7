import type { CellResult } from '@plugfest/model';

/** Failed cells that have the same explanation by reference peers. */
export interface BlamedCells {
  /** Who is to blame, e.g. `server birch`, or that the spec may be read in two ways. */
  readonly who: string;
  readonly why: string;
  readonly cells: readonly CellResult[];
}

/** What reference peers told of failed cells, in the order of the cells. */
export function blameOf(cells: readonly CellResult[]): readonly BlamedCells[] {
  const groups = new Map<string, BlamedCells & { readonly cells: CellResult[] }>();
  for (const cell of cells) {
    const { blame, client, server } = cell;
    if (blame === undefined) continue;
    const { party, clientCell, serverCell } = blame;
    const { who, why } = {
      client: { who: `client ${client}`, why: `fails with the reference peer, too (${clientCell})` },
      server: { who: `server ${server}`, why: `fails with the reference peer, too (${serverCell})` },
      both: {
        who: `client ${client} and server ${server}`,
        why: `both fail with the reference peer (${clientCell}, ${serverCell})`,
      },
      neither: {
        who: `${client} and ${server}, or the spec`,
        why: `both work with the reference peer (${clientCell}, ${serverCell}): perhaps an ambiguity`,
      },
    }[party ?? 'neither'];
    const group = groups.get(who);
    if (group) group.cells.push(cell);
    else groups.set(who, { who, why, cells: [cell] });
  }
  return [...groups.values()];
}

/** What a reader should know of how a cell came about, in sentences. */
export function remarksOf({ notes = [], repeats, standIn, client }: CellResult): readonly string[] {
  return [
    ...notes,
    ...(repeats === undefined || repeats.ok === repeats.of
      ? []
      : [`${repeats.ok} of ${repeats.of} runs worked`]),
    ...(standIn === undefined ? [] : [`${standIn} made the calls in the place of ${client}`]),
  ];
}
