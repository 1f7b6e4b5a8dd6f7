import { type Prepared, prepareAgent } from '../agents/prepare.ts';
import type { StartedAgent } from '../agents/start.ts';
import { speaksVersion, spokenDialects } from '../client/card.ts';
import type { HttpClient } from '../client/http.ts';
import type { Clock } from '../clock.ts';
import type { Dialect } from '../driver/drive.ts';
import type { Lab, LabAgent } from '../lab/lab.ts';
import { seeded } from '../seeded.ts';
import type { LivePeer } from './cell-world.ts';
import type { ProgressEvent } from './progress.ts';
import { fetchKeys } from './published-keys.ts';
import type { Taps } from './taps.ts';

export interface MeetOptions {
  readonly taps: Taps;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
  readonly note: (text: string) => void;
}

/** A started process has said that it serves, so its card is not waited for as long as a stranger's. */
const ownCardMs = 10_000;

/** Fetches every agent's card and sends it a first message. An agent that cannot be used is still a peer. */
export async function meet(
  agents: readonly LabAgent[],
  timeouts: Lab['timeouts'],
  started: readonly StartedAgent[],
  options: MeetOptions,
): Promise<ReadonlyMap<string, LivePeer>> {
  const peers = await Promise.all(
    agents.map(async (agent): Promise<[string, LivePeer]> => {
      const live = started.find(({ name }) => name === agent.name);
      if (!live) throw new Error(`${agent.name} was not started`);
      return [agent.name, await meetOne(timeouts, agent, live, options)];
    }),
  );
  return new Map(peers);
}

async function meetOne(
  timeouts: Lab['timeouts'],
  agent: LabAgent,
  started: StartedAgent,
  { taps, http, clock, seed, signal, onProgress, note }: MeetOptions,
): Promise<LivePeer> {
  tellEnd(started, { onProgress, note });
  const address = await taps.forCell(undefined).address('plugfest', started);
  const { startMs = timeouts.startMs } = agent.timeouts;
  const waitMs = agent.form === 'kind' ? Math.min(startMs, ownCardMs) : startMs;
  const random = seeded(seed, `first send to ${agent.name}`);
  const prepared = await prepareAgent(started, address, { http, clock, random, signal, waitMs });
  if (prepared.problem !== undefined) {
    onProgress({ kind: 'agent-problem', agent: agent.name, reason: prepared.problem });
  } else {
    const { about, origin, cardPath } = started;
    const { dialects } = prepared;
    onProgress({ kind: 'agent-ready', agent: agent.name, about, cardUrl: origin + cardPath, dialects });
  }
  if (prepared.note !== undefined) note(prepared.note);
  const keys = keysOf(agent);
  if (keys !== undefined) {
    const missing = await fetchKeys(keys, address, http, signal);
    if (missing !== undefined) note(missing);
  }
  return {
    agent,
    started,
    dialects: prepared.problem === undefined ? prepared.dialects : expectedDialects(agent),
    ...(prepared.problem === undefined ? {} : { problem: prepared.problem }),
    streaming: prepared.card?.streaming === true,
    pushNotifications: prepared.card?.pushNotifications === true,
    extendedCard: prepared.card?.extendedCard === true,
    requiredExtensions: prepared.card?.requiredExtensions ?? [],
    offeredExtensions: prepared.card?.offeredExtensions ?? [],
    requiresExtension: (prepared.card?.requiredExtensions.length ?? 0) > 0,
    auth: started.tokens.size > 1,
    listTasks: started.features?.includes('listTasks') !== false,
    restart: started.restart !== undefined,
    speaks: ({ binding, version }) =>
      started.speaks === undefined ||
      (started.speaks.bindings.includes(binding) && started.speaks.versions.includes(version)),
    revived: () => undefined,
    behaviours: followsText(agent, prepared),
  };
}

/** Tells when the process that an agent has at the moment ends. */
export function tellEnd(
  { name, exited }: StartedAgent,
  { onProgress, note }: Pick<MeetOptions, 'onProgress' | 'note'>,
): void {
  void exited().then(({ how, leftBehind }) => {
    onProgress({ kind: 'agent-ended', agent: name, how });
    if (leftBehind > 0) note(leftBehindText(name, leftBehind));
  });
}

/** Path of the JWK set of an agent that has one; lab agents have it where docs/lab-agents.md says. */
function keysOf(agent: LabAgent): string | undefined {
  if (agent.form === 'card') return agent.keys;
  return agent.form === 'kind' && agent.signCard ? '/.well-known/jwks.json' : undefined;
}

/** A lab agent has no excuse. Of others only a plain answer to something else says that they are none. */
function followsText(agent: LabAgent, { firstSend }: Prepared): boolean {
  return agent.form === 'kind' || agent.drive || firstSend !== 'strange';
}

/** The dialects whose cells an unusable card takes down. */
function expectedDialects(agent: LabAgent): readonly Dialect[] {
  if (agent.form !== 'kind') return spokenDialects.slice(0, 1);
  const bindings: readonly string[] = agent.bindings ?? ['JSONRPC', 'HTTP+JSON'];
  return spokenDialects.filter(
    ({ binding, version }) => speaksVersion(agent.protocol, version) && bindings.includes(binding),
  );
}

function leftBehindText(agent: string, count: number): string {
  const what = count === 1 ? 'a process' : `${count} processes`;
  return `${agent} left ${what} behind in a session of its own; Plugfest ended ${count === 1 ? 'it' : 'them'}.`;
}
