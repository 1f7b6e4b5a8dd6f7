import type { Socket } from 'node:net';
import { resetConnection } from '../tls/reset.ts';
import type { UpstreamCall } from '../upstream/upstream.ts';

/** A callee that has agreed to another protocol, while its client has not been told. */
export class WaitingCallee implements UpstreamCall {
  private readonly socket: Socket;

  /** `onLeft` is called where it leaves, whenever that is. */
  constructor(socket: Socket, onLeft: () => void) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.once('close', onLeft);
  }

  pause(): void {
    // Nobody reads from it.
  }

  resume(): void {
    // The tunnel will.
  }

  halfClose(): void {
    // The tunnel tells, once it is there.
  }

  abort(reset: boolean): void {
    if (reset) resetConnection(this.socket);
    else this.socket.destroy();
  }
}
