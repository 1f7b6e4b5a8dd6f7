import { isLoopback, listening, type Socket } from './proc-net.ts';

export interface WatchedAgent {
  readonly name: string;
  readonly port: number;
}

/** A connection to an agent's port that the interposer did not open. */
export interface Stray {
  readonly agent: string;
  readonly agentPort: number;
  /** The port it came from. */
  readonly callerPort: number;
  /** Inode of the caller's socket, where it is still open. */
  readonly callerInode?: string;
}

/** A port with so many peers at once is a server's: a client takes a new port for each of its connections. */
const peersOfServer = 3;

/**
 * Ports that somebody serves on. Where a machine has tens of thousands of connections, the kernel gives a client the
 * number of a port that an agent listens on; what connects it with another server is then no call to the agent.
 */
export function serverPorts(sockets: readonly Socket[]): ReadonlySet<number> {
  const found = new Set<number>();
  const peers = new Map<number, Set<number>>();
  for (const { localPort, remotePort, state } of sockets) {
    if (state === listening) {
      found.add(localPort);
      continue;
    }
    for (const [port, peer] of [
      [localPort, remotePort],
      [remotePort, localPort],
    ] as const) {
      const known = peers.get(port) ?? new Set();
      peers.set(port, known.add(peer));
      if (known.size >= peersOfServer) found.add(port);
    }
  }
  return found;
}

/**
 * The strays among the sockets of one sample. Both ends of a loopback connection are listed, either may be gone.
 * `servers` are ports that no caller calls from.
 */
export function straysIn(
  sockets: readonly Socket[],
  agents: readonly WatchedAgent[],
  ours: (callerPort: number, agentPort: number) => boolean,
  servers: ReadonlySet<number> = new Set(),
): readonly Stray[] {
  const byPort = new Map(agents.map((agent) => [agent.port, agent]));
  const found = new Map<string, Stray>();
  for (const socket of sockets) {
    if (socket.state === listening || !isLoopback(socket.remoteAddress) || !isLoopback(socket.localAddress))
      continue;
    const called = byPort.get(socket.remotePort);
    const calling = byPort.get(socket.localPort);
    const agent = called ?? calling;
    if (!agent) continue;
    const callerPort = called ? socket.localPort : socket.remotePort;
    if (servers.has(callerPort) || ours(callerPort, agent.port)) continue;
    const key = `${agent.port}<${callerPort}`;
    const open = called !== undefined && socket.inode !== '0';
    if (!found.has(key) || open)
      found.set(key, {
        agent: agent.name,
        agentPort: agent.port,
        callerPort,
        ...(open ? { callerInode: socket.inode } : {}),
      });
  }
  return [...found.values()];
}
