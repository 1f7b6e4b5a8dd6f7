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

/** The strays among the sockets of one sample. Both ends of a loopback connection are listed, either may be gone. */
export function straysIn(
  sockets: readonly Socket[],
  agents: readonly WatchedAgent[],
  ours: (callerPort: number, agentPort: number) => boolean,
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
    if (ours(callerPort, agent.port)) continue;
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
