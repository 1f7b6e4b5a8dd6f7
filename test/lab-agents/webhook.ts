import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '@plugfest/model';

export interface Delivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

/** Takes whatever is delivered. */
export class Webhook implements AsyncDisposable {
  readonly url: string;
  readonly #deliveries: Delivery[] = [];
  readonly #server: ReturnType<typeof createServer>;
  readonly #waiting = new Set<() => void>();

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      request.on('end', () => {
        response.end();
        const { url: path = '', headers } = request;
        this.#deliveries.push({ path, headers, body: JSON.parse(text) as Json });
        for (const wake of this.#waiting) wake();
      });
    });
  }

  static async open(): Promise<Webhook> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Webhook(server);
  }

  /** The first delivery at a path that says so. @throws when none came in time. */
  async delivered(path: string, says: RegExp, timeoutMs = 10_000): Promise<Delivery> {
    const late = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const found = this.#deliveries.find((one) => one.path === path && says.test(JSON.stringify(one.body)));
      if (found !== undefined) return found;
      if (late.aborted)
        throw new Error(`nothing at ${path} says ${says}: ${JSON.stringify(this.#deliveries)}`);
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
        late.addEventListener('abort', wake, { once: true });
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
