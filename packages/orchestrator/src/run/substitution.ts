import type { CellResult } from '@plugfest/model';
import { cellId } from '@plugfest/model';
import { namesCell } from '../lab/expected-cell.ts';
import type { KindAgent, Lab, LabAgent } from '../lab/lab.ts';
import type { Scenario } from '../scenario/define.ts';
import { standInName } from './blame.ts';
import { fits, type Peer, type PlannedCell } from './cells.ts';

/** The bundled agent without a defect: what others are compared with. */
export function isReference(agent: LabAgent): boolean {
  return (
    agent.form === 'kind' && agent.kind === 'js' && agent.fault === undefined && agent.auth === undefined
  );
}

/** The reference agent that a lab has not; undefined where it uses the name for something else. */
export function referenceAgent(lab: Lab): KindAgent | undefined {
  if (lab.agents.some(({ name }) => name === standInName)) return undefined;
  return {
    form: 'kind',
    name: standInName,
    kind: 'js',
    protocol: 'both',
    extendedCard: false,
    signCard: false,
    optional: false,
    args: [],
    env: {},
    drive: true,
    timeouts: {},
  };
}

/** Cells of two agents that failed, and that nobody expected to. */
export function unexplained(lab: Lab, results: Iterable<CellResult>): readonly CellResult[] {
  return [...results].filter(
    ({ id, client, outcome }) =>
      client !== 'plugfest' &&
      (outcome === 'failed' || outcome === 'timeout') &&
      !lab.expect.cells.some((entry) => namesCell(entry, id)),
  );
}

/** Whether one of the lab's own agents can take the other's place in each of these cells. */
export function haveReference(failed: readonly CellResult[], agents: readonly LabAgent[]): boolean {
  const names = agents.filter(isReference).map(({ name }) => name);
  return failed.every(({ client, server }) => names.some((name) => name !== client && name !== server));
}

interface Surroundings {
  /** Ids of the cells that were run. */
  readonly known: ReadonlySet<string>;
  readonly scenarios: readonly Scenario[];
  readonly peers: ReadonlyMap<string, Peer>;
}

/**
 * The cells that are still to be run to tell whose fault the failed ones are: the client with a reference server, that
 * server with Plugfest's own client, and a reference client with the server where Plugfest's own has not met it.
 */
export function referenceCells(
  failed: readonly CellResult[],
  references: readonly Peer[],
  { known, scenarios, peers }: Surroundings,
): readonly PlannedCell[] {
  const cells = new Map<string, PlannedCell>();
  for (const { client, server, binding, version, scenario } of failed) {
    if (version !== '1.0' && version !== '0.3') continue;
    const dialect = { binding, version };
    const id = (from: string, to: string) => cellId(`${from}>${to}/${binding}/${version}/${scenario}`);
    const played = scenarios.find(({ id: each }) => each === scenario);
    const callee = peers.get(server);
    if (played === undefined || callee === undefined) continue;
    const around = { dialects: [dialect], beside: [], beyond: [] };
    const others = references.filter(
      ({ agent, problem, dialects }) =>
        agent.name !== client &&
        agent.name !== server &&
        problem === undefined &&
        dialects.some((each) => each.binding === binding && each.version === version),
    );
    const add = (from: string, to: string) => {
      const planned = { id: id(from, to), client: from, server: to, binding, version, scenario, dialect };
      cells.set(planned.id, { ...planned, ...around });
    };
    const [reference] = others;
    if (reference === undefined) continue;
    const { name } = reference.agent;
    const able = fits(played, reference, dialect, around) && played.needs.every((need) => reference[need]);
    if (able && !others.some(({ agent }) => known.has(id(client, agent.name)))) {
      add(client, name);
      // Whether the reference itself is at fault.
      if (played.clients === 'any' && !known.has(id('plugfest', name))) add('plugfest', name);
    }
    const met = ['plugfest', ...others.map(({ agent }) => agent.name)];
    const meets = fits(played, callee, dialect, around);
    // The reference is told what to call, and takes no words.
    const takes = played.clients !== 'words';
    if (meets && takes && !met.some((each) => known.has(id(each, server)))) add(name, server);
  }
  return [...cells.values()];
}
