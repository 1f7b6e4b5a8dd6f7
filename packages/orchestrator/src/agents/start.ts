import { withoutTrailingSlashes } from '@plugfest/a2a';
import { isJsonObject, PlugfestError } from '@plugfest/model';
import type { LabAgent } from '../lab/lab.ts';
import { askedOf } from './asked.ts';
import { type Child, type ChildExit, startChild } from './child.ts';
import type { ResolveKind } from './kinds.ts';
import { printable } from './line-tail.ts';

/** As in a lab file. */
const maxOrigins = 16;
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
  readonly pid?: number;
  /** How it ended, where it was ours to start and has ended. */
  exit(): ChildExit | undefined;
  readonly exited: Promise<ChildExit>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly resolveKind: ResolveKind;
  readonly startMs: number;
  /** Bearer tokens of the lab's principals; every lab agent is given them, so that its client has them. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
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
      exit: () => undefined,
      exited: new Promise(() => {}),
      stop: async () => {},
    };
  }
  const plan = await planOf(agent, options.resolveKind);
  const stdout = new ReadyLine();
  const env = agent.form === 'kind' ? { ...tokenVariable(options.tokens), ...agent.env } : agent.env;
  const child = startChild({ ...plan, env }, (line) => stdout.push(line));
  try {
    if (child.pid === undefined) {
      const { how } = await child.exited;
      throw startError(agent, `could not be started: ${how}`, []);
    }
    const given = agent.form === 'command' ? agent.card : undefined;
    const said = given && URL.canParse(given) ? undefined : await ready(agent, child, stdout, options);
    const card = said === undefined ? (given ?? '') : cardFrom(said.card, given);
    return {
      name: agent.name,
      about: plan.about,
      ...cardAddress(card),
      origins: [...(said?.origins ?? []), ...(agent.form === 'command' ? agent.origins : [])],
      alias: agent.name,
      headers: {},
      tokens: wantsToken(agent) ? options.tokens : new Map(),
      features: plan.features,
      pid: child.pid,
      exit: child.exit,
      exited: child.exited,
      stop: child.stop,
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

async function planOf(agent: Exclude<LabAgent, { form: 'card' }>, resolveKind: ResolveKind) {
  if (agent.form === 'command') {
    const [program = ''] = agent.command;
    return {
      command: agent.command,
      about: `command ${program}`,
      features: undefined,
      ...(agent.cwd ? { cwd: agent.cwd } : {}),
    };
  }
  const kind = await resolveKind(agent.kind);
  const protocol = askedOf(agent, kind.offers);
  const flags = ['--name', agent.name, '--httpPort', '0', '--protocol', protocol];
  if (agent.bindings) flags.push('--bindings', agent.bindings.join(','));
  if (agent.auth !== undefined) flags.push('--auth', agent.auth);
  if (agent.extendedCard) flags.push('--extendedCard');
  if (agent.fault !== undefined) flags.push('--fault', agent.fault);
  const about = agent.fault === undefined ? kind.about : `${kind.about}, with the defect ${agent.fault}`;
  return { command: [...kind.command, ...flags], cwd: kind.cwd, about, features: kind.offers.features };
}

function wantsToken(agent: LabAgent): boolean {
  return agent.form === 'kind' && agent.auth !== undefined;
}

function tokenVariable(tokens: ReadonlyMap<string, string>): Record<string, string> {
  if (tokens.size === 0) return {};
  return { LAB_AGENT_TOKENS: [...tokens].map(([name, token]) => `${name}=${token}`).join(',') };
}

/** What a ready line says. */
interface Ready {
  readonly card: string;
  /** Further addresses that the card leads to. */
  readonly origins: readonly string[];
}

/** Waits for the line by which an agent says that it serves (docs/lab-agents.md, section Start). */
class ReadyLine {
  readonly said: Promise<Ready>;
  #last = '';
  readonly #found: (said: Ready) => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<Ready>();
    this.said = promise;
    this.#found = resolve;
  }

  /** What it printed instead, made printable. */
  get last(): string {
    return printable(this.#last);
  }

  /** True once the line was there. */
  push(line: string): boolean {
    const said = readyIn(line);
    if (said !== undefined) this.#found(said);
    else if (line.trim() !== '') this.#last = line;
    return said !== undefined;
  }
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

function readyIn(text: string): Ready | undefined {
  // A flood of other lines costs no parsing.
  if (!text.trimStart().startsWith('{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || value.ready !== true || typeof value.card !== 'string') return undefined;
  if (!URL.canParse(value.card)) return undefined;
  const given = Array.isArray(value.origins) ? value.origins.slice(0, maxOrigins) : [];
  const origins = given.flatMap((each) => {
    const url = typeof each === 'string' ? URL.parse(each) : null;
    return url !== null && /^https?:$/.test(url.protocol) ? [url.origin] : [];
  });
  return { card: value.card, origins };
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
