// The caller of the benchmarks: keeps connections busy over bare sockets, and times every answer.
import net from 'node:net';
import type { Order, Ready, Result } from './messages.ts';
import { summary } from './summary.ts';

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { text: 'x'.repeat(820) } });

const ok = Buffer.from('HTTP/1.1 200 ');

const requestTo = (port: number): Buffer =>
  Buffer.from(
    `POST /a2a HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nAccept: application/json\r\nUser-Agent: plugfest-bench\r\nA2A-Version: 1.0\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );

/**
 * An address of its own, where the loopback network has more than one: mockttp takes a client for itself that has the
 * address and port of one of its connections to the callee, which the kernel may well give to both.
 */
const from = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};

const nowUs = (): number => Number(process.hrtime.bigint()) / 1000;

/** End of the response at the front of `bytes`, framed by length or in chunks; -1 while it is incomplete. */
function responseEnd(bytes: Buffer): number {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return -1;
  const head = bytes.toString('latin1', 0, headEnd);
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`unexpected answer: ${head.split('\r\n', 1)[0]}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) {
    const end = bytes.indexOf('\r\n0\r\n\r\n', headEnd);
    return end === -1 ? -1 : end + 7;
  }
  const end = headEnd + 4 + Number(length);
  return bytes.length >= end ? end : -1;
}

async function requests(order: Order): Promise<Result> {
  const request = requestTo(order.port);
  const samples: number[] = [];
  const started = performance.now();
  const deadline = started + order.durationMs;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = net.connect({ port: order.port, host: '127.0.0.1', noDelay: true, ...from });
      let sentAt = 0;
      // Responses of one connection are all alike, so only the first is read to find its size.
      let size = 0;
      let pending: Buffer = Buffer.alloc(0);
      const send = (): void => {
        sentAt = nowUs();
        socket.write(request);
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the proxy closed a kept-alive connection')));
      socket.on('data', (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        try {
          if (size === 0) size = Math.max(0, responseEnd(pending));
        } catch (error) {
          reject(error);
          socket.destroy();
          return;
        }
        if (size === 0 || pending.length < size) return;
        if (pending.length > size || !pending.subarray(0, ok.length).equals(ok)) {
          reject(new Error(`unexpected answer: ${pending.toString('latin1', 0, 40)}`));
        }
        pending = Buffer.alloc(0);
        samples.push(nowUs() - sentAt);
        if (performance.now() < deadline) send();
        else {
          resolve();
          socket.destroy();
        }
      });
    });
  await Promise.all(Array.from({ length: order.connections }, one));
  return summary(samples, performance.now() - started);
}

/** Delays of stream events, from the callee's write to our read; all processes share the monotonic clock. */
async function events(order: Order): Promise<Result> {
  const samples: number[] = [];
  const started = performance.now();
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = net.connect({ port: order.port, host: '127.0.0.1', noDelay: true }, () => {
        socket.write(
          `GET /events HTTP/1.1\r\nHost: 127.0.0.1:${order.port}\r\nAccept: text/event-stream\r\n\r\n`,
        );
      });
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        const at = process.hrtime.bigint();
        for (const [, stamp = '0'] of chunk.toString('latin1').matchAll(/data: (\d+)\n\n/g)) {
          samples.push(Number(at - BigInt(stamp)) / 1000);
        }
      });
      setTimeout(() => {
        socket.destroy();
        resolve();
      }, order.durationMs);
    });
  await Promise.all(Array.from({ length: order.connections }, one));
  return summary(samples, performance.now() - started);
}

process.on('message', (order: Order) => {
  const done = order.type === 'requests' ? requests(order) : events(order);
  done.then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ type: 'ready', port: 0 } satisfies Ready);
