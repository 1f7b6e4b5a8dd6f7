import type { CellBlame, CellResult } from '@plugfest/model';

/** Name of the agent that is started where the lab has none that others can be compared with. */
export const standInName = 'reference';

/** Only what ended by itself says something about a peer. */
const works = ({ outcome }: CellResult): boolean | undefined =>
  outcome === 'ok' ? true : outcome === 'failed' || outcome === 'timeout' ? false : undefined;

/**
 * Says of each failed cell of two agents whose fault it is, by what both did with a reference peer in the same
 * scenario and dialect: the client with a reference agent, and Plugfest's own client, or where the scenario is none for
 * it a reference agent, with the server. A cell for which one of the two is missing stays as it is.
 */
export function withBlame(
  cells: readonly CellResult[],
  references: readonly string[],
): readonly CellResult[] {
  const byId = new Map<string, CellResult>(cells.map((cell) => [cell.id, cell]));
  return cells.map((cell) => {
    if (cell.client === 'plugfest' || works(cell) !== false) return cell;
    // Such a cell was run to explain others.
    if (cell.client === standInName || cell.server === standInName) return cell;
    const at = (client: string, server: string) =>
      byId.get(`${client}>${server}/${cell.binding}/${cell.version}/${cell.scenario}`);
    const others = references.filter((name) => name !== cell.client && name !== cell.server);
    const decided = (found: CellResult | undefined) => found !== undefined && works(found) !== undefined;
    // One that fails with Plugfest's own client, too, says nothing about others.
    const sound = others.filter((name) => {
      const alone = at('plugfest', name);
      return alone === undefined || works(alone) !== false;
    });
    const withClient = sound.map((name) => at(cell.client, name)).find(decided);
    const withServer = ['plugfest', ...others].map((name) => at(name, cell.server)).find(decided);
    if (withClient === undefined || withServer === undefined) return cell;
    return { ...cell, blame: blameOf(withClient, withServer) };
  });
}

function blameOf(withClient: CellResult, withServer: CellResult): CellBlame {
  const [client, server] = [works(withClient) === false, works(withServer) === false];
  const party = client && server ? 'both' : client ? 'client' : server ? 'server' : undefined;
  return {
    ...(party === undefined ? {} : { party }),
    ambiguity: party === undefined,
    clientCell: withClient.id,
    serverCell: withServer.id,
  };
}
