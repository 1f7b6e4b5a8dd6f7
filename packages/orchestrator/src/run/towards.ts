import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { NetworkError } from '../client/network-error.ts';

/** The address of this machine in the network in which it reaches a host. Nothing is sent there. */
export async function addressTowards(origin: string): Promise<string> {
  const { hostname } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  const { address, family } = await lookup(host).catch((error: Error) => {
    throw new NetworkError(`${host} has no address (${error.message})`, { cause: error });
  });
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.once('error', reject);
      // A connected datagram socket has been given its local address, by the routes of the machine.
      socket.connect(9, address, () => resolve(socket.address().address));
    });
  } finally {
    socket.close();
  }
}
