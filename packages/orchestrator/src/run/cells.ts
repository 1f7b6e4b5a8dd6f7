import { type Cell, cellId, globMatches } from '@plugfest/model';
import type { Dialect } from '../driver/drive.ts';
import type { Lab, LabAgent, LabEdge } from '../lab/lab.ts';
import type { Around, Need, Scenario } from '../scenario/define.ts';

/** An agent after the start, as far as planning needs it. */
export interface Peer {
  readonly agent: LabAgent;
  /** Dialects that its card offers; where the card is unusable, those that the lab expects of it. */
  readonly dialects: readonly Dialect[];
  /** Why its card cannot be used, one sentence. */
  readonly problem?: string;
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedCard: boolean;
  /** URIs of the extensions that its card requires, and whether there are any. */
  readonly requiredExtensions: readonly string[];
  readonly requiresExtension: boolean;
  /** URIs of those that it offers besides. */
  readonly offeredExtensions: readonly string[];
  /** Whether it wants to know who calls, and the lab has principals. */
  readonly auth: boolean;
  /** Whether its SDK lists tasks. */
  readonly listTasks: boolean;
  /** Whether Plugfest can end it and start it again at the same addresses. */
  readonly restart: boolean;
  /** Whether the client of its SDK speaks a dialect; only the manifest of a lab agent's kind can deny that. */
  readonly speaks: (dialect: Dialect) => boolean;
  /** Whether it carries out the texts of docs/lab-agents.md. */
  readonly behaviours: boolean;
}

export interface PlannedCell extends Cell {
  readonly scenario: string;
  readonly dialect: Dialect;
  /** All dialects in which the lab has this client call this server. */
  readonly dialects: readonly Dialect[];
  /** Names of further lab agents that the client calls on the lab's edges, and of those that the server calls. */
  readonly beside: readonly string[];
  readonly beyond: readonly string[];
  /** Decided before it runs. */
  readonly settled?: { readonly outcome: 'failed' | 'unsupported' | 'not-run'; readonly reason: string };
}

export interface Plan {
  readonly cells: readonly PlannedCell[];
  readonly notes: readonly string[];
}

type Limits = Pick<LabEdge, 'bindings' | 'versions' | 'scenarios'>;

const harness = 'plugfest';

/**
 * The cells of a lab. Plugfest's own client meets every server once; each agent that can be told to call meets the
 * servers on its edges. `only` holds globs over cell ids.
 */
export function planCells(
  lab: Lab,
  peers: ReadonlyMap<string, Peer>,
  scenarios: readonly Scenario[],
  only: readonly string[] = ['*'],
): Plan {
  const chosen = chosenScenarios(lab, scenarios);
  const cells: PlannedCell[] = [];
  const notes: string[] = [];
  const add = (
    client: string,
    server: Peer,
    callers: readonly Scenario['clients'][],
    { bindings, versions, scenarios: globs }: Limits = {},
    clientProblem?: string,
  ) => {
    const dialects = server.dialects.filter(
      ({ binding, version }) =>
        lab.bindings.includes(binding) &&
        lab.versions.includes(version) &&
        bindings?.includes(binding) !== false &&
        versions?.includes(version) !== false,
    );
    const beside = onward(lab, peers, client, server.agent.name);
    const beyond = onward(lab, peers, server.agent.name, client);
    const spoken = dialects.filter((dialect) => peers.get(client)?.speaks(dialect) !== false);
    const around = { dialects: spoken, beside, beyond };
    for (const dialect of dialects) {
      for (const scenario of chosen) {
        if (globs?.some((glob) => globMatches(glob, scenario.id)) === false) continue;
        if (!callers.includes(scenario.clients) || !fits(scenario, server, dialect, around)) continue;
        const cell = cellOf(client, server.agent.name, dialect, scenario.id);
        if (!only.some((glob) => globMatches(glob, cell.id))) continue;
        const settled = settle(scenario, server, clientProblem) ?? unspoken(peers.get(client), dialect);
        const others = { beside: beside.map(nameOf), beyond: beyond.map(nameOf) };
        cells.push({ ...cell, dialect, dialects: spoken, ...others, ...(settled ? { settled } : {}) });
      }
    }
  };
  const servers = lab.edgesListed
    ? lab.agents.filter(({ name }) => lab.edges.some(({ callee }) => callee === name))
    : lab.agents;
  for (const { name } of servers) {
    const server = peers.get(name);
    if (server) add(harness, server, callersOf(undefined));
  }
  const standIns = new Set<string>();
  for (const edge of lab.edges) {
    const { caller, callee } = edge;
    const [client, server] = [peers.get(caller), peers.get(callee)];
    if (!client || !server) continue;
    const callers = callersOf(client.agent);
    if (callers.length === 0) standIns.add(caller);
    else add(caller, server, callers, edge, client.problem && `${caller}: ${client.problem}`);
  }
  for (const caller of standIns)
    notes.push(
      `${caller} is not told to call others (drive: false; "drive: true" is for one that takes drive calls): plugfest stands in as the client towards the agents that it would call.`,
    );
  return { cells, notes };
}

/** Clients of the scenarios that an agent can play; undefined is Plugfest's own client. */
export function callersOf(agent: LabAgent | undefined): readonly Scenario['clients'][] {
  if (agent === undefined) return ['any', 'raw'];
  if (agent.drive) return ['any', 'agent'];
  return 'delegate' in agent ? ['words'] : [];
}

/** The scenarios that a lab asks for. */
export function chosenScenarios(lab: Lab, scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.filter(({ id, faults, named }) =>
    lab.scenarios.some((glob) => globMatches(glob, id) && !((faults || named) === true && glob === '*')),
  );
}

const nameOf = ({ agent }: Peer): string => agent.name;

/**
 * Lab agents that `caller` calls on the lab's edges, but for `except`: those that can be told what to answer without
 * credentials. Those of kinds that neither of the two is come first.
 */
function onward(lab: Lab, peers: ReadonlyMap<string, Peer>, caller: string, except: string): readonly Peer[] {
  const kindOf = ({ agent }: Pick<Peer, 'agent'>) => (agent.form === 'kind' ? agent.kind : agent.name);
  const own = [caller, except].flatMap((name) => peers.get(name) ?? []).map(kindOf);
  const others = lab.edges
    .filter((edge) => edge.caller === caller && edge.callee !== except)
    .flatMap(({ callee }) => peers.get(callee) ?? [])
    .filter(
      ({ agent, problem, auth, requiresExtension }) =>
        agent.drive && problem === undefined && !auth && !requiresExtension,
    );
  const distinct = (peer: Peer) => !own.includes(kindOf(peer));
  return [...others.filter(distinct), ...others.filter((peer) => !distinct(peer))];
}

/** What scenarios are written for that do not say it. */
const versionsOfToday: readonly Dialect['version'][] = ['1.0', '0.3'];

/** Whether a scenario has a meaning for a server in a dialect. */
export function fits(scenario: Scenario, server: Peer, dialect: Dialect, around: Around): boolean {
  if (!(scenario.versions ?? versionsOfToday).includes(dialect.version)) return false;
  // An ITK instruction names nobody on whose behalf the client is to call, and no extension that it is to ask for.
  if (scenario.clients === 'agent' && (server.auth || server.requiresExtension)) return false;
  if (scenario.bindings && !scenario.bindings.includes(dialect.binding)) return false;
  return scenario.applies?.(server, dialect, around) ?? true;
}

function settle(scenario: Scenario, server: Peer, clientProblem: string | undefined): PlannedCell['settled'] {
  const { name } = server.agent;
  const problem = server.problem === undefined ? clientProblem : `${name}: ${server.problem}`;
  if (problem !== undefined) return { outcome: 'failed', reason: problem };
  const lacking = scenario.needs.find((need) => !server[need]);
  return lacking && { outcome: 'unsupported', reason: lackText(name, lacking) };
}

function unspoken(client: Peer | undefined, dialect: Dialect): PlannedCell['settled'] {
  if (client === undefined || client.speaks(dialect)) return undefined;
  const { binding, version } = dialect;
  const reason = `the manifest of ${client.agent.name} says that its SDK does not speak ${binding} ${version}`;
  return { outcome: 'unsupported', reason };
}

function lackText(name: string, need: Need): string {
  switch (need) {
    case 'behaviours':
      return `${name} is no lab agent: it did not carry out the text "plugfest-echo" (docs/lab-agents.md)`;
    case 'auth':
      return `${name} does not ask who calls: the lab does not start it with \`auth: bearer\``;
    case 'listTasks':
      return `the manifest of ${name} says that its SDK lists no tasks`;
    case 'restart':
      return `${name} is not an agent that Plugfest can start again where it was`;
    case 'requiresExtension':
      return `the card of ${name} requires no extension`;
    case 'extendedCard':
      return `the card of ${name} does not declare capabilities.extendedAgentCard`;
    default:
      return `the card of ${name} does not declare capabilities.${need}`;
  }
}

function cellOf(client: string, server: string, { binding, version }: Dialect, scenario: string): Cell {
  const id = cellId(`${client}>${server}/${binding}/${version}/${scenario}`);
  return { id, client, server, binding, version, scenario };
}
