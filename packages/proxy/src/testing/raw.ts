import { once } from 'node:events';
import net from 'node:net';
import { eventually } from './memory-sink.ts';

/** One TCP connection as bytes; what arrives is kept as latin1 text. */
export class RawConnection {
  readonly socket: net.Socket;
  text = '';
  ended = false;
  closed = false;
  error: string | undefined;

  constructor(socket: net.Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.text += chunk.toString('latin1');
    });
    socket.on('end', () => {
      this.ended = true;
    });
    socket.on('close', () => {
      this.closed = true;
    });
    socket.on('error', (error) => {
      this.error = 'code' in error ? String(error.code) : error.message;
    });
  }

  write(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Waits until what arrived matches. */
  async until(pattern: RegExp | string): Promise<string> {
    await eventually(
      () =>
        (typeof pattern === 'string' ? this.text.includes(pattern) : pattern.test(this.text)) || undefined,
      () => `${pattern} in ${JSON.stringify(this.text)}`,
    );
    return this.text;
  }

  /** Waits until the other side has closed its half, or all. */
  async untilEnded(): Promise<string> {
    await eventually(
      () => this.ended || this.closed || undefined,
      () => `the other side to finish after ${JSON.stringify(this.text)}`,
    );
    return this.text;
  }
}

/** A server that speaks whatever the test makes it speak. */
export class RawServer implements AsyncDisposable {
  readonly connections: RawConnection[] = [];
  private readonly server: net.Server;

  private constructor(server: net.Server) {
    this.server = server;
  }

  /** `serve` is called with every connection. */
  static async start(serve: (connection: RawConnection) => void = () => undefined): Promise<RawServer> {
    const server = net.createServer({ allowHalfOpen: true, noDelay: true });
    const raw = new RawServer(server);
    server.on('connection', (socket) => {
      const connection = new RawConnection(socket);
      raw.connections.push(connection);
      serve(connection);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return raw;
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    return address.port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async connection(index = 0): Promise<RawConnection> {
    return eventually(() => this.connections[index], `connection ${index}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { socket } of this.connections) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Answers each complete request head (and body of known length) with fixed bytes. */
export function answering(response: string): (connection: RawConnection) => void {
  return (connection) => {
    let seen = 0;
    connection.socket.on('data', () => {
      for (;;) {
        const headEnd = connection.text.indexOf('\r\n\r\n', seen);
        if (headEnd === -1) return;
        const length = Number(/content-length: *(\d+)/i.exec(connection.text.slice(seen, headEnd))?.[1] ?? 0);
        if (connection.text.length < headEnd + 4 + length) return;
        seen = headEnd + 4 + length;
        connection.write(response);
      }
    });
  };
}

export async function connect(origin: string): Promise<RawConnection> {
  const socket = net.connect({
    port: Number(new URL(origin).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
    noDelay: true,
  });
  const connection = new RawConnection(socket);
  await once(socket, 'connect');
  return connection;
}
