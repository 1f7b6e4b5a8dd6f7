import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openCapture, openCaptureSource } from '@plugfest/capture';
import { type CapturedBody, runId } from '@plugfest/model';
import { createInterposer } from '@plugfest/proxy';
import { afterAll, expect, it } from 'vitest';

/**
 * Exchanges of odd sizes through the proxy, many at once, some broken off, with redaction on: what is stored of each is
 * compared with what was sent, byte for byte. `MIXING_EXCHANGES` sets how many.
 */
const count = Number(process.env.MIXING_EXCHANGES ?? 600);
const atOnce = 48;

const folder = mkdtempSync(join(tmpdir(), 'plugfest-mixing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

/** Pseudo-random numbers below `limit` for one exchange and side. */
function drawing(seed: string): (limit: number) => number {
  let state = createHash('sha256').update(seed).digest();
  let at = 0;
  return (limit) => {
    if (at + 4 > state.length) {
      state = createHash('sha256').update(state).digest();
      at = 0;
    }
    at += 4;
    return state.readUInt32BE(at - 4) % limit;
  };
}

interface Plan {
  /** As sent, in the pieces in which it is written. */
  readonly pieces: readonly Buffer[];
  /** As it is to be stored, with `***` for tokens. */
  readonly stored: string;
  readonly compressed: boolean;
  /** Bytes after which the sender breaks off. */
  readonly cut: number | undefined;
}

const sizes = [
  0, 1, 2, 15, 16, 255, 256, 1023, 4095, 4097, 6143, 6145, 16_383, 16_385, 65_535, 65_537, 200_001,
];

/** What one side of an exchange says: JSON with its own mark all over it, and secrets in some. */
function planOf(index: number, side: 'request' | 'response'): Plan {
  const draw = drawing(`${index} ${side}`);
  const mark = `<${side} ${index}>`;
  const filler = mark.repeat(Math.ceil((sizes[draw(sizes.length)] ?? 0) / mark.length));
  const secret = `secret-${side}-${index}-${'s'.repeat(draw(40))}`;
  const withSecret = draw(2) === 0;
  const text = (value: string): string =>
    `{"mark":"${mark}","a":"${filler}",${withSecret ? `"password":"${value}",` : ''}"b":"${mark}"}`;
  const compressed = draw(5) === 0;
  const bytes = compressed ? gzipSync(text(secret)) : Buffer.from(text(secret));
  const pieces: Buffer[] = [];
  // A few borders, one of them within the secret where there is one.
  const borders = [draw(bytes.length), draw(bytes.length), bytes.indexOf('secret-') + 4]
    .filter((border) => border > 0 && border < bytes.length)
    .sort((a, b) => a - b);
  let from = 0;
  for (const border of [...borders, bytes.length]) {
    if (border > from) pieces.push(bytes.subarray(from, border));
    from = border;
  }
  return {
    pieces,
    stored: text('***'),
    compressed,
    cut: draw(6) === 0 ? draw(bytes.length) : undefined,
  };
}

const plans = Array.from({ length: count }, (_, index) => ({
  request: planOf(index, 'request'),
  response: planOf(index, 'response'),
}));

const pause = (draw: (limit: number) => number): Promise<void> =>
  draw(3) === 0 ? new Promise((resolve) => setTimeout(resolve, draw(8))) : Promise.resolve();

/** Writes the pieces with pauses; true where it broke off. */
async function say(plan: Plan, to: http.ClientRequest | http.ServerResponse, seed: string): Promise<boolean> {
  const draw = drawing(seed);
  let left = plan.cut ?? Number.POSITIVE_INFINITY;
  for (const piece of plan.pieces) {
    if (to.destroyed) return true;
    to.write(piece.subarray(0, left));
    left -= piece.length;
    await pause(draw);
    if (left <= 0) {
      to.destroy();
      return true;
    }
  }
  to.end();
  return false;
}

const encoding = ({ compressed }: Plan): Record<string, string> =>
  compressed ? { 'content-encoding': 'gzip' } : {};

const masked = (text: string): string => text.replaceAll(/‹hmac:[0-9a-f]{20}›/g, '***');

/** What is on record of a body. */
const bytesOf = ({ chunks }: CapturedBody): Buffer => Buffer.concat(chunks.map(({ bytes }) => bytes));

it(`${count} exchanges, ${atOnce} at once: what is stored of one is its own, and all of it`, async () => {
  const server = http.createServer((request, response) => {
    const index = Number(request.url?.slice(1));
    const { response: plan } = plans[index] ?? { response: planOf(index, 'response') };
    request.resume();
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    response.writeHead(200, { 'content-type': 'application/json', 'x-index': index, ...encoding(plan) });
    void say(plan, response, `${index} said by the callee`);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const file = join(folder, 'capture.sqlite');
  const sink = openCapture({ file, run: runId('mixing') });
  const interposer = createInterposer({ sink, run: sink.run, mode: 'alias', drainMs: 200 });
  const tap = await interposer.openTap({
    caller: 'a',
    callee: 'b',
    kind: 'a2a',
    upstream: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const call = async (index: number): Promise<void> => {
    const plan = plans[index]?.request ?? planOf(index, 'request');
    const request = http.request(`${tap.origin}/${index}`, {
      agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-index': index, ...encoding(plan) },
    });
    const over = new Promise<void>((resolve) => {
      request.on('error', () => resolve());
      request.on('close', () => resolve());
      request.on('response', (response) => {
        response.on('error', () => undefined);
        response.resume();
      });
    });
    await say(plan, request, `${index} said by the caller`);
    await over;
  };
  let next = 0;
  // A slow disk would cost payload, which is another matter.
  let stored: Promise<void> | undefined;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      if (index % 100 === 99) stored = sink.flush();
      await stored;
      await call(index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  agent.destroy();
  await interposer.close();
  await sink.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));

  const source = openCaptureSource(file);
  const seen = new Set<number>();
  let [whole, redacted] = [0, 0];
  try {
    // Nothing was dropped, but what came when its answer was complete.
    const late = new Set(source.gaps().map(({ exchange }) => exchange));
    for (const { reason, detail } of source.gaps())
      expect(`${reason} ${detail}`).toMatch(/^decode request body: it came after the end of its exchange/);
    expect(late.size).toBeLessThan(count / 20);
    for (const exchange of source.exchanges()) {
      const index = Number(exchange.request.target.slice(1));
      expect(seen.has(index)).toBe(false);
      seen.add(index);
      for (const side of ['request', 'response'] as const) {
        const message = exchange[side];
        if (message === undefined) continue;
        const plan = plans[index]?.[side] ?? planOf(index, side);
        const where = `${side} ${index} (${exchange.end.kind})`;
        expect(message.headers.includes(String(index)), where).toBe(true);
        const stored = bytesOf(message.body);
        const sent = plan.pieces.reduce((sum, piece) => sum + piece.length, 0);
        const { totalBytes } = message.body;
        expect(totalBytes, where).toBeLessThanOrEqual(Math.min(sent, plan.cut ?? sent));
        // A caller may have its answer, and break off its request then.
        const isWhole = side === 'response' || (plan.cut === undefined && !late.has(exchange.id));
        if (exchange.end.kind === 'complete' && isWhole) {
          expect(totalBytes, where).toBe(sent);
          whole += 1;
          const text = masked((plan.compressed ? gunzipSync(stored) : stored).toString());
          if (text.includes('"password":"***"')) redacted += 1;
          expect(text === plan.stored, where).toBe(true);
        } else if (!plan.compressed) {
          // A beginning of it, which may stop within the secret.
          const text = masked(stored.toString());
          const shown = text.endsWith('***') ? text.slice(0, -3) : text;
          expect(plan.stored.startsWith(shown), `${where}: ${shown.slice(-100)}`).toBe(true);
        }
      }
    }
  } finally {
    source.close();
  }
  // Some are broken off before the proxy sees them.
  expect(seen.size).toBeGreaterThan(0.8 * count);
  expect(whole).toBeGreaterThan(count / 2);
  expect(redacted).toBeGreaterThan(count / 4);
}, 600_000);
