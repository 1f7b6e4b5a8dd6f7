const portPair = (localPort: number, calleePort: number): number => localPort * 65_536 + calleePort;

/** The connections that the interposer opens to callees: what comes in on one of them is a loop. */
export class OwnConnections {
  /** Local port and callee's port of each connection ever opened to a callee, as one number. */
  private readonly everUsed = new Set<number>();
  /** `address|port>calleePort` of connections that are open. */
  private readonly open = new Map<string, number>();

  /** Returns what to do when the connection closes. */
  opened(address: string | undefined, port: number, calleePort: number): () => void {
    // Kept for good: a callee that never closes its side shows the connection for as long as it lives.
    this.everUsed.add(portPair(port, calleePort));
    // Two connections may share a local port where they lead to different ones, so both ports count.
    const key = `${address}|${port}>${calleePort}`;
    this.open.set(key, (this.open.get(key) ?? 0) + 1);
    return () => {
      const left = (this.open.get(key) ?? 1) - 1;
      if (left === 0) this.open.delete(key);
      else this.open.set(key, left);
    };
  }

  has(address: string | undefined, port: number | undefined, calleePort: number | undefined): boolean {
    return this.open.has(`${address}|${port}>${calleePort}`);
  }

  everConnected(localPort: number, calleePort: number): boolean {
    return this.everUsed.has(portPair(localPort, calleePort));
  }
}
