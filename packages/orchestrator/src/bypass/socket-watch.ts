import { readdir, readFile, readlink } from 'node:fs/promises';
import type { BypassObservation, Interposer } from '@plugfest/model';
import { parseProcNet, type Socket } from './proc-net.ts';
import { type Stray, serverPorts, straysIn, type WatchedAgent } from './stray.ts';

export interface SocketWatch {
  /** Why sockets are not watched here; undefined where they are. */
  readonly notWatched: string | undefined;
  sample(): Promise<void>;
  observations(): readonly BypassObservation[];
  /** Takes a last sample. */
  stop(): Promise<void>;
}

const settleMs = 100;

export interface SocketWatchOptions {
  readonly interposer: Interposer;
  readonly agents: readonly (WatchedAgent & { readonly pid?: number })[];
  readonly everyMs?: number;
  /** Of the machine; for tests. */
  readonly platform?: NodeJS.Platform;
}

/**
 * Samples the machine's TCP sockets for connections to agents that are not the proxy's. A connection stays
 * visible for a minute after it ended (TIME_WAIT), unless it was reset.
 */
export async function watchSockets(options: SocketWatchOptions): Promise<SocketWatch> {
  const { interposer, agents, everyMs = 5000, platform = process.platform } = options;
  const notWatched =
    platform !== 'linux'
      ? `Connections past the proxy are noticed by their sockets on Linux only, not on ${platform}.`
      : agents.length === 0
        ? 'No agent runs on this machine, so sockets tell nothing about traffic past the proxy.'
        : undefined;
  if (notWatched !== undefined)
    return { notWatched, sample: async () => {}, observations: () => [], stop: async () => {} };

  // A socket of an earlier owner of the same port may linger in TIME_WAIT: what is there at the start is not ours.
  const before = new Set(straysIn(await allSockets(), agents, () => false).map(key));
  const found = new Map<string, BypassObservation>();
  const servers = new Set<number>();
  const ours = (callerPort: number, agentPort: number) => interposer.connectedFrom(callerPort, agentPort);
  const sample = async () => {
    const suspects: { readonly stray: Stray; readonly owner: string | undefined }[] = [];
    const sockets = await allSockets();
    // A server that ended leaves its connections behind.
    for (const port of serverPorts(sockets)) servers.add(port);
    for (const stray of straysIn(sockets, agents, ours, servers)) {
      if (before.has(key(stray)) || found.has(key(stray))) continue;
      const owner = stray.callerInode ? await ownerOf(stray.callerInode, agents) : undefined;
      suspects.push({ stray, owner });
    }
    if (suspects.length === 0) return;
    // The kernel knows of a connection before the proxy is told that it stands.
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    for (const { stray, owner } of suspects) {
      if (ours(stray.callerPort, stray.agentPort)) continue;
      const who = owner ? `${owner} connected` : 'Somebody connected';
      const detail = `${who} from port ${stray.callerPort} to port ${stray.agentPort} of ${stray.agent} without passing the proxy.`;
      found.set(key(stray), { agent: stray.agent, method: 'socket', detail });
    }
  };
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(sample);
  }, everyMs);
  timer.unref();
  return {
    notWatched: undefined,
    sample,
    observations: () => [...found.values()],
    stop: async () => {
      clearInterval(timer);
      await running;
      await sample();
    },
  };
}

function key(stray: Stray): string {
  return `${stray.agentPort}<${stray.callerPort}`;
}

async function allSockets(): Promise<readonly Socket[]> {
  const tables = await Promise.all(
    // A kernel without IPv6 has no tcp6.
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'latin1').catch(() => '')),
  );
  return tables.flatMap(parseProcNet);
}

/** Which agent's own process holds a socket; its descendants are not looked at. */
async function ownerOf(inode: string, agents: SocketWatchOptions['agents']): Promise<string | undefined> {
  for (const { name, pid } of agents) {
    if (pid === undefined) continue;
    const folder = `/proc/${pid}/fd`;
    // Descriptors come and go while they are listed.
    const descriptors = await readdir(folder).catch(() => []);
    for (const descriptor of descriptors) {
      const target = await readlink(`${folder}/${descriptor}`).catch(() => '');
      if (target === `socket:[${inode}]`) return name;
    }
  }
  return undefined;
}
