import { withoutTrailingSlashes } from '@plugfest/a2a';
import { PlugfestError } from '@plugfest/model';
import type { LabAgent } from '../lab/lab.ts';
import { askedOf } from './asked.ts';
import { type Child, type ChildExit, startChild } from './child.ts';
import type { KindOffers, ResolveKind } from './kinds.ts';
import { listeningAt } from './listening.ts';
import { type Ready, ReadyLine } from './ready-line.ts';
import { RunningProcess } from './running-process.ts';
import { startAgain } from './start-again.ts';
import { type LabTokens, tokensFor } from './tokens.ts';

const wellKnown = '/.well-known/agent-card.json';

/** An agent that can be talked to, or at least should be: whether its card is one is looked at afterwards. */
export interface StartedAgent {
  readonly name: string;
  /** For people; no secrets. */
  readonly about: string;
  /** Origin that taps forward to. */
  readonly origin: string;
  /** Further origins that the lab declares for it. */
  readonly origins: readonly string[];
  /** Host name by which its peers know it in `alias` mode. */
  readonly alias: string;
  /** Path and query of the card. */
  readonly cardPath: string;
  /** What goes before the well-known path in the base URL given to SDK resolvers. Often empty. */
  readonly basePath: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bearer tokens by principal, where it was started with `auth`; empty otherwise. */
  readonly tokens: ReadonlyMap<string, string>;
  /** What its kind's manifest lists; undefined where there is no such list. */
  readonly features: readonly string[] | undefined;
  /** What its own client speaks, by its kind's manifest; undefined where nothing says so. */
  readonly speaks: Pick<KindOffers, 'versions' | 'bindings'> | undefined;
  readonly pid?: number | undefined;
  /** How it ended, where it was ours to start and has ended. */
  exit(): ChildExit | undefined;
  /** When the process of this moment ends, other than by `restart`. */
  exited(): Promise<ChildExit>;
  /** How often it was started; 0 where it was not ours to start. */
  readonly starts: number;
  /**
   * Ends it and starts it again at the same addresses; undefined where Plugfest cannot. @throws PlugfestError
   * PLUGFEST_AGENT_START
   */
  readonly restart?: () => Promise<void>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly resolveKind: ResolveKind;
  readonly startMs: number;
  /** Every lab agent is given them, so that its client has them. */
  readonly tokens: LabTokens;
  /** Undefined where taps speak clear text. */
  readonly trust?: Trust | undefined;
  readonly signal: AbortSignal;
}

/** The authority of the taps' certificates: as PEM, and as a file of that. */
export interface Trust {
  readonly ca: string;
  readonly file: string;
}

/** What runtimes and their HTTP clients read to know whom to trust; Java has its own store and reads none of these. */
const trustVariables = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH',
] as const;

function trustIn(trust: Trust | undefined): Record<string, string> {
  return trust === undefined ? {} : Object.fromEntries(trustVariables.map((name) => [name, trust.file]));
}

/**
 * Starts one agent of a lab and waits until it says that it serves.
 * @throws PlugfestError PLUGFEST_AGENT_START, PLUGFEST_AGENT_NOT_INSTALLED
 */
export async function startAgent(agent: LabAgent, options: StartOptions): Promise<StartedAgent> {
  if (agent.form === 'card') {
    return {
      name: agent.name,
      about: `running at ${new URL(agent.card).origin}`,
      ...cardAddress(agent.card),
      origins: agent.origins,
      alias: agent.alias ?? agent.name,
      headers: agent.headers,
      tokens: new Map(),
      features: undefined,
      speaks: undefined,
      exit: () => undefined,
      exited: () => new Promise(() => {}),
      starts: 0,
      stop: async () => {},
    };
  }
  const plan = await planOf(agent, options.resolveKind);
  const first = await startProcess(agent, plan, options, noPorts);
  const process = new RunningProcess(first.child);
  const address = cardAddress(first.card);
  const { origins } = first;
  // A command of somebody's own that says where it serves may come back elsewhere.
  const restart =
    agent.form === 'command' && !(agent.card && URL.canParse(agent.card))
      ? undefined
      : () =>
          process.replace(async () => {
            const again = await startAgain(
              () => startProcess(agent, plan, options, portsOf(first)),
              options.signal,
            );
            // A lab agent has said that it serves.
            if (agent.form === 'command') await listeningAt(new URL(address.origin), options.startMs);
            return again.child;
          });
  return {
    name: agent.name,
    about: plan.about,
    ...address,
    origins: [...origins, ...(agent.form === 'command' ? agent.origins : [])],
    alias: agent.name,
    headers: {},
    tokens: options.tokens.get(agent.name) ?? new Map(),
    features: plan.features,
    speaks: plan.speaks,
    get pid() {
      return process.pid;
    },
    get starts() {
      return process.starts;
    },
    exit: () => process.exit(),
    exited: () => process.exited(),
    ...(restart === undefined ? {} : { restart }),
    stop: () => process.stop(),
  };
}

/** Where a lab agent is to serve; 0 takes a free port. */
interface Ports {
  readonly http: number;
  readonly grpc: number;
}

const noPorts: Ports = { http: 0, grpc: 0 };

function portsOf({ card, origins }: Ready): Ports {
  const [further] = origins;
  return {
    http: Number(new URL(card).port),
    grpc: further === undefined ? 0 : Number(new URL(further).port),
  };
}

interface StartedProcess extends Ready {
  readonly child: Child;
}

async function startProcess(
  agent: OwnAgent,
  plan: ProcessPlan,
  options: StartOptions,
  ports: Ports,
): Promise<StartedProcess> {
  const stdout = new ReadyLine();
  const env = {
    ...trustIn(options.trust),
    ...(agent.form === 'kind' ? tokensFor(agent.name, options.tokens) : {}),
    ...agent.env,
  };
  const child = startChild({ ...plan, command: plan.command(ports), env }, (line) => stdout.push(line));
  try {
    if (child.pid === undefined) {
      const { how } = await child.exited;
      throw startError(agent, `could not be started: ${how}`, []);
    }
    const given = agent.form === 'command' ? agent.card : undefined;
    if (given && URL.canParse(given)) return { child, card: given, origins: [] };
    const said = await ready(agent, child, stdout, options);
    return { child, card: cardFrom(said.card, given), origins: said.origins };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

type OwnAgent = Exclude<LabAgent, { form: 'card' }>;

interface ProcessPlan {
  readonly command: (ports: Ports) => readonly string[];
  readonly about: string;
  readonly features: readonly string[] | undefined;
  readonly speaks: StartedAgent['speaks'];
  readonly cwd?: string;
}

async function planOf(agent: OwnAgent, resolveKind: ResolveKind): Promise<ProcessPlan> {
  if (agent.form === 'command') {
    const [program = ''] = agent.command;
    return {
      command: () => agent.command,
      about: `command ${program}`,
      features: undefined,
      speaks: undefined,
      ...(agent.cwd ? { cwd: agent.cwd } : {}),
    };
  }
  const kind = await resolveKind(agent.kind);
  const protocol = askedOf(agent, kind.offers);
  const flags = ['--name', agent.name, '--protocol', protocol];
  if (agent.bindings) flags.push('--bindings', agent.bindings.join(','));
  if (agent.auth !== undefined) flags.push('--auth', agent.auth);
  if (agent.extendedCard) flags.push('--extendedCard');
  if (agent.signCard) flags.push('--signCard');
  if (agent.requireExtension !== undefined) flags.push('--requireExtension', agent.requireExtension);
  if (agent.offerExtension !== undefined) flags.push('--offerExtension', agent.offerExtension);
  if (agent.fault !== undefined) flags.push('--fault', agent.fault);
  flags.push(...agent.args);
  const about = agent.fault === undefined ? kind.about : `${kind.about}, with the defect ${agent.fault}`;
  const command = ({ http, grpc }: Ports) => [
    ...kind.command,
    ...flags,
    '--httpPort',
    String(http),
    ...(grpc === 0 ? [] : ['--grpcPort', String(grpc)]),
  ];
  const speaks = kind.offers.listed ? kind.offers : undefined;
  return { command, cwd: kind.cwd, about, features: kind.offers.features, speaks };
}

async function ready(
  agent: LabAgent,
  child: Child,
  stdout: ReadyLine,
  { startMs, signal }: StartOptions,
): Promise<Ready> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(startMs)]);
  const stopped = new Promise<undefined>((resolve) => {
    if (limit.aborted) resolve(undefined);
    limit.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const first = await Promise.race([stdout.said, child.exited, stopped]);
  if (first && 'card' in first) return first;
  if (first) throw startError(agent, `ended before it was ready (${first.how})`, first.lastLines);
  signal.throwIfAborted();
  const said = stdout.last ? `; the last line on its stdout: ${stdout.last}` : '';
  throw startError(agent, `printed no ready line within ${startMs} ms${said}`, child.lastLines());
}

function cardFrom(ready: string, given: string | undefined): string {
  return given === undefined ? ready : new URL(given, ready).href;
}

function cardAddress(card: string): { origin: string; cardPath: string; basePath: string } {
  const url = new URL(card);
  const path = url.pathname;
  const basePath = path.endsWith(wellKnown)
    ? path.slice(0, -wellKnown.length)
    : path.endsWith('.json')
      ? path.slice(0, path.lastIndexOf('/'))
      : withoutTrailingSlashes(path);
  const cardPath = path.endsWith('.json') ? path + url.search : basePath + wellKnown + url.search;
  return { origin: url.origin, cardPath, basePath };
}

function startError(agent: LabAgent, what: string, lastLines: readonly string[]): PlugfestError {
  const said =
    lastLines.length > 0 ? `\n${lastLines.map((text) => `  ${agent.name} | ${text}`).join('\n')}` : '';
  return new PlugfestError('PLUGFEST_AGENT_START', `Agent ${agent.name} ${what}${said}`, {
    hint: 'Start it by hand with the same command to see more, or raise timeouts.startMs in the lab file.',
  });
}
