import { readdir } from 'node:fs/promises';
import { type Callee, dial, type Message, type Wire } from './wire.ts';

/** Something that a forwarder of HTTP has to do. Each file in `behaviours/` exports a list of them as its default. */
export interface Behaviour {
  readonly name: string;
  /** Passes, or throws a `Wrong`. */
  run(world: World): Promise<void>;
}

export interface BehaviourGroup {
  readonly title: string;
  readonly behaviours: readonly Behaviour[];
}

/** A client, a forwarder and a callee. */
export class World {
  readonly callee: Callee;
  readonly port: number;
  private readonly clients: Wire[] = [];

  constructor(callee: Callee, port: number) {
    this.callee = callee;
    this.port = port;
  }

  /** What a client has to say in `Host`. */
  get authority(): string {
    return `127.0.0.1:${this.port}`;
  }

  async client(): Promise<Wire> {
    const wire = await dial(this.port);
    this.clients.push(wire);
    return wire;
  }

  /** Sends this, with `HOST` filled in, on a new connection. */
  async send(text: string): Promise<Wire> {
    const wire = await this.client();
    wire.write(text.replaceAll('HOST', this.authority));
    return wire;
  }

  /** Sends a request to a callee that answers it; tells what the callee saw. */
  async seen(request: string, response = ok): Promise<Message> {
    this.callee.answer(response);
    const client = await this.send(request);
    await client.message('response');
    return (await this.callee.connection()).message('request');
  }

  /** Sends a request that the callee answers like this; tells what the client saw. */
  async answered(response: string, request = get): Promise<Message> {
    this.callee.answer(response);
    const client = await this.send(request);
    return client.message('response', 1, request.startsWith('HEAD'));
  }

  /** A client and a callee in the middle of a request. */
  async underWay(request = get): Promise<{ readonly client: Wire; readonly callee: Wire }> {
    const client = await this.send(request);
    const callee = await this.callee.connection();
    await callee.until('\r\n\r\n');
    return { client, callee };
  }

  dispose(): void {
    for (const { socket } of this.clients) socket.destroy();
    this.callee.renew();
  }
}

export const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';
export const get = 'GET /x HTTP/1.1\r\nHost: HOST\r\n\r\n';
export const streamHead =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
export const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

export async function loadBehaviours(): Promise<readonly BehaviourGroup[]> {
  const folder = new URL('./behaviours/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).sort();
  return Promise.all(
    files.map(
      async (file) =>
        ((await import(new URL(file, folder).href)) as { readonly default: BehaviourGroup }).default,
    ),
  );
}
