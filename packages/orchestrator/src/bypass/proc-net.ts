/** One TCP socket of this machine, as /proc/net/tcp and tcp6 list it. */
export interface Socket {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly state: number;
  readonly inode: string;
}

export const listening = 0x0a;

/** Reads the table of proc_pid_net(5): addresses are hex of the words in host byte order, ports are hex. */
export function parseProcNet(table: string): readonly Socket[] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', remote = '', state = '', , , , , , inode = ''] = line.trim().split(/\s+/);
      const [localHex = '', localPort = ''] = local.split(':');
      const [remoteHex = '', remotePort = ''] = remote.split(':');
      if (!localPort || !remotePort) return [];
      return [
        {
          localAddress: address(localHex),
          localPort: Number.parseInt(localPort, 16),
          remoteAddress: address(remoteHex),
          remotePort: Number.parseInt(remotePort, 16),
          state: Number.parseInt(state, 16),
          inode,
        },
      ];
    });
}

const mappedPrefix = '0000000000000000FFFF0000';

/** Dotted quad for IPv4 and mapped IPv4, `::1` for its loopback, else the hex digits. */
function address(hex: string): string {
  if (hex.length === 8) return dotted(hex);
  if (hex.startsWith(mappedPrefix)) return dotted(hex.slice(mappedPrefix.length));
  return hex === '00000000000000000000000001000000' ? '::1' : hex;
}

function dotted(hex: string): string {
  return [6, 4, 2, 0].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join('.');
}

export function isLoopback(host: string): boolean {
  return host.startsWith('127.') || host === '::1';
}
