import type { AddressInfo, Server } from 'node:net';
import { PlugfestError } from '@plugfest/model';

/** Begins to listen on a TCP port; fails with what to do about it. */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new PlugfestError('PLUGFEST_LISTEN', `Cannot listen on ${host}:${port}: ${cause.message}`, {
          hint: 'Choose another address, or port 0 for any free one.',
          cause,
        }),
      );
    });
    server.listen({ host, port }, () => resolve());
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a TCP port');
  return address;
}
