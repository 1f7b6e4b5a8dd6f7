import type { Socket } from 'node:net';

/** The TCP connections under those of TLS. */
const carriers = new WeakMap<Socket, Socket>();

export function carriedBy(secure: Socket, carrier: Socket): void {
  carriers.set(secure, carrier);
}

/** Ends a connection with an RST, which only TCP has. */
export function resetConnection(socket: Socket): void {
  const carrier = carriers.get(socket);
  if (carrier === undefined) {
    socket.resetAndDestroy();
    return;
  }
  carrier.resetAndDestroy();
  socket.destroy();
}

/** True where the peer has ended the connection with an RST. */
export function wasReset(socket: Socket | undefined): boolean {
  if (socket === undefined) return false;
  const errored = socket.errored ?? carriers.get(socket)?.errored;
  return errored != null && 'code' in errored && errored.code === 'ECONNRESET';
}
