import { cellId, globMatches, PlugfestError } from '@plugfest/model';
import { speaksVersion, spokenDialects } from '../client/card.ts';
import type { Dialect } from '../driver/drive.ts';
import type { Lab, LabAgent } from '../lab/lab.ts';
import type { Scenario } from '../scenario/define.ts';
import { callersOf, chosenScenarios } from './cells.ts';

export interface NeededAgents {
  readonly agents: readonly LabAgent[];
  /** Names of those that no cell needs. */
  readonly idle: readonly string[];
}

/**
 * The agents that cells of these ids need: client and server, and those that the two call where the scenario has
 * further ones. What a card does not offer is not known yet. @throws PlugfestError where there can be no such cell.
 */
export function neededAgents(
  lab: Lab,
  scenarios: readonly Scenario[],
  only: readonly string[] | undefined,
): NeededAgents {
  if (only === undefined) return { agents: lab.agents, idle: [] };
  const chosen = chosenScenarios(lab, scenarios);
  const calledBy = (caller: string): readonly string[] =>
    lab.edges.flatMap((edge) => (edge.caller === caller ? [edge.callee] : []));
  const needed = new Set<string>();
  const look = (client: string, server: string, callers: readonly Scenario['clients'][]): void => {
    const agent = lab.agents.find(({ name }) => name === server);
    const dialects = spokenDialects.filter(
      (dialect) =>
        lab.bindings.includes(dialect.binding) &&
        lab.versions.includes(dialect.version) &&
        agent !== undefined &&
        mayOffer(agent, dialect),
    );
    for (const { binding, version } of dialects)
      for (const { id, hops, clients } of chosen) {
        if (!callers.includes(clients)) continue;
        const cell = cellId(`${client}>${server}/${binding}/${version}/${id}`);
        if (!only.some((glob) => globMatches(glob, cell))) continue;
        for (const name of [client, server]) needed.add(name);
        if (!hops.some(({ from, to }) => from === 'other' || to === 'other')) continue;
        for (const name of [...calledBy(client), ...calledBy(server)]) needed.add(name);
      }
  };
  for (const { name } of lab.agents) look('plugfest', name, callersOf(undefined));
  for (const { caller, callee } of lab.edges)
    look(caller, callee, callersOf(lab.agents.find(({ name }) => name === caller)));
  if (needed.size === 0) throw nothingLeft(lab);
  const isNeeded = ({ name }: LabAgent): boolean => needed.has(name);
  return {
    agents: lab.agents.filter(isNeeded),
    idle: lab.agents.filter((agent) => !isNeeded(agent)).map(({ name }) => name),
  };
}

export const nothingLeft = ({ name }: Lab): PlugfestError =>
  new PlugfestError('PLUGFEST_USAGE', `Lab ${name}: no cell is left to run.`, {
    hint: 'Loosen --only, or `scenarios`, `bindings`, `versions` and `edges` in the lab file.',
  });

/** A lab agent offers nothing that the lab does not ask it for. */
function mayOffer(agent: LabAgent, { binding, version }: Dialect): boolean {
  if (agent.form !== 'kind') return true;
  const { protocol, bindings } = agent;
  return speaksVersion(protocol, version) && bindings?.includes(binding) !== false;
}
