import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** An agent that answers requests at once, and streams until its client has seen enough. */
export class Agent implements AsyncDisposable {
  readonly origin: string;
  private readonly server: http.Server;

  private constructor(server: http.Server, origin: string) {
    this.server = server;
    this.origin = origin;
  }

  static async start(): Promise<Agent> {
    const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(800) } });
    const server = http.createServer((request, response) => {
      if (request.url?.startsWith('/stream/')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
        let left = Number(new URL(request.url, 'http://a').searchParams.get('events'));
        const timer = setInterval(() => {
          response.write(`data: {"left":${left}}\n\n`);
          left -= 1;
          if (left > 0) return;
          clearInterval(timer);
          response.end();
        }, 500);
        response.on('close', () => clearInterval(timer));
        return;
      }
      request.resume();
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
        response.end(answer);
      });
    });
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 });
    await once(server, 'listening');
    return new Agent(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

const message = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'message/send',
  params: { message: { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'y'.repeat(400) }] } },
});

/** Requests in a second, and streams that are open at a time. */
export interface Rate {
  readonly requests: number;
  readonly streams: number;
}

/** A client that keeps to a rate as well as it can, and knows what it sent. */
export class Load {
  /** Requests whose answers came whole. */
  answered = 0;
  failed: string[] = [];
  sent = 0;
  streamsBegun = 0;
  /** Streams that were seen to their end, and those that were left in the middle on purpose. */
  streamsEnded = 0;
  streamsLeft = 0;
  openStreams = 0;
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  private readonly streamAgent = new http.Agent({ keepAlive: false });
  private readonly origin: string;
  private readonly rate: Rate;
  private inFlight = 0;
  private stopping = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly startedMs = performance.now();

  constructor(origin: string, rate: Rate) {
    this.origin = origin;
    this.rate = rate;
  }

  start(): void {
    this.timer = setInterval(() => this.tick(), 10);
  }

  private tick(): void {
    const dueNow = Math.floor(((performance.now() - this.startedMs) / 1000) * this.rate.requests);
    // What a busy machine could not send in time is not made up for by a burst.
    for (let burst = 0; this.sent < dueNow && this.inFlight < 128 && burst < 20; burst++) this.send();
    // Not all at once.
    for (let begun = 0; this.openStreams < this.rate.streams && begun < 4; begun++) this.stream();
  }

  private send(): void {
    const target = `/r/${this.sent}`;
    this.sent += 1;
    this.inFlight += 1;
    // One in eight streams its body, which takes another way through the proxy.
    const streamed = this.sent % 8 === 0;
    const request = http.request(`${this.origin}${target}`, {
      method: 'POST',
      agent: this.agent,
      headers: {
        'content-type': 'application/json',
        ...(streamed ? { 'transfer-encoding': 'chunked' } : { 'content-length': message.length }),
      },
    });
    const done = (problem?: string): void => {
      this.inFlight -= 1;
      if (problem === undefined) this.answered += 1;
      else this.failed.push(`${target}: ${problem}`);
    };
    let settled = false;
    const settle = (problem?: string): void => {
      if (settled) return;
      settled = true;
      done(problem);
    };
    request.on('response', (response) => {
      response.resume();
      response.on('end', () =>
        settle(response.statusCode === 200 ? undefined : `status ${response.statusCode}`),
      );
      response.on('close', () => settle('cut off'));
    });
    request.on('error', (error) => settle(error.message));
    request.end(message);
  }

  private stream(): void {
    const number = this.streamsBegun;
    this.streamsBegun += 1;
    this.openStreams += 1;
    // Between 5 and 25 s; one in four is left in the middle.
    const events = 10 + ((number * 7) % 40);
    const leaves = number % 4 === 3;
    const request = http.get(`${this.origin}/stream/${number}?events=${events}`, { agent: this.streamAgent });
    let ended = false;
    let left = false;
    const over = (): void => {
      if (ended) return;
      ended = true;
      this.openStreams -= 1;
      if (left) this.streamsLeft += 1;
    };
    request.on('response', (response) => {
      let seen = 0;
      response.on('data', () => {
        seen += 1;
        if (leaves && seen * 2 > events) {
          left = true;
          request.destroy();
        }
      });
      response.on('end', () => {
        if (!left) this.streamsEnded += 1;
        over();
      });
      response.on('error', () => undefined);
      response.on('close', () => {
        if (!ended && !left && !this.stopping) this.failed.push(`/stream/${number}: cut off`);
        over();
      });
    });
    request.on('error', (error) => {
      if (!ended && !left) this.failed.push(`/stream/${number}: ${error.message}`);
      over();
    });
  }

  /** Sends no more, waits for what is under way, and closes all connections. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    for (let i = 0; i < 3000 && (this.inFlight > 0 || this.openStreams > 0); i++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    this.agent.destroy();
    this.streamAgent.destroy();
  }

  get seconds(): number {
    return (performance.now() - this.startedMs) / 1000;
  }
}
