import type { Socket } from 'node:net';
import tls from 'node:tls';
import { PlugfestError } from '@plugfest/model';
import type { LabAuthority, ServerIdentity } from './authority.ts';
import type { ClientHello } from './client-hello.ts';
import { carriedBy } from './reset.ts';

export interface TlsFrontOptions {
  readonly authority: LabAuthority;
  readonly keyLog: ((line: Buffer) => void) | undefined;
  readonly handshakeTimeoutMs: number;
  note(topic: string, text: string): void;
}

/** What was agreed with a client. */
export interface SecuredConnection {
  readonly wire: tls.TLSSocket;
  /** `h2`, `http/1.1`, or undefined where the client did not offer anything. */
  readonly protocol: string | undefined;
}

/** Ports are reused, but not while their connection is open. */
const keyOf = (socket: Socket): string => `${socket.remoteAddress}|${socket.remotePort}`;

/** Takes TLS off connections of clients: each gets a certificate of the lab's for the name that it asked for. */
export class TlsFront {
  private readonly options: TlsFrontOptions;
  /**
   * Node.js ties the protocol that is chosen to the server, and so is what it presents to clients that name none
   * (RFC 6066 section 3: those that call an address). There are few of both.
   */
  private readonly servers = new Map<string, tls.Server>();
  private readonly waiting = new Map<string, (secured: SecuredConnection) => void>();

  constructor(options: TlsFrontOptions) {
    this.options = options;
  }

  /** Completes the handshake, and tells of it. A connection whose handshake fails is closed, and noted. */
  secure(
    socket: Socket,
    hello: ClientHello,
    protocol: string | undefined,
    done: (secured: SecuredConnection) => void,
  ): void {
    const name = hello.serverName ?? addressOf(socket);
    const identity = this.options.authority.identityOf(name);
    if (identity === undefined) {
      this.options.note('tls-handshake-failed', 'A client asked for a server by what is no name');
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    this.waiting.set(key, (secured) => {
      carriedBy(secured.wire, socket);
      socket.allowHalfOpen = true;
      secured.wire.allowHalfOpen = true;
      done(secured);
    });
    socket.once('close', () => this.waiting.delete(key));
    // Who leaves in the middle of the handshake has left.
    socket.allowHalfOpen = false;
    const unnamed = hello.serverName === undefined ? { name, identity } : undefined;
    this.serverFor(protocol, unnamed).emit('connection', socket);
  }

  private serverFor(
    protocol: string | undefined,
    unnamed: { readonly name: string; readonly identity: ServerIdentity } | undefined,
  ): tls.Server {
    const id = `${protocol ?? ''}|${unnamed?.name ?? ''}`;
    const known = this.servers.get(id);
    if (known !== undefined) return known;
    const { authority, keyLog, handshakeTimeoutMs, note } = this.options;
    const server = tls.createServer({
      ...(protocol === undefined ? {} : { ALPNProtocols: [protocol] }),
      ...(unnamed === undefined ? {} : { cert: unnamed.identity.cert, key: unnamed.identity.key }),
      minVersion: 'TLSv1.2',
      handshakeTimeout: handshakeTimeoutMs,
      SNICallback: (name, callback) => {
        const context = authority.identityOf(name)?.context;
        if (context === undefined) callback(new PlugfestError('PLUGFEST_INTERNAL', 'no name'));
        else callback(null, context);
      },
    });
    server.on('secureConnection', (wire) => {
      const key = keyOf(wire);
      const done = this.waiting.get(key);
      this.waiting.delete(key);
      if (done === undefined) wire.destroy();
      else done({ wire, protocol });
    });
    server.on('tlsClientError', (error, wire) => {
      note('tls-handshake-failed', `The TLS handshake of a client failed: ${error.message}`);
      wire.destroy();
    });
    if (keyLog !== undefined) server.on('keylog', (line: Buffer) => keyLog(line));
    this.servers.set(id, server);
    return server;
  }
}

/** The address that a client has called, without the prefix of IPv4 in IPv6. */
const addressOf = (socket: Socket): string => (socket.localAddress ?? '').replace(/^::ffff:/, '');
