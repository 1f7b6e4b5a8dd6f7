/**
 * A process that records in bursts until it is killed, and never flushes. Once an exchange was recorded, its number and
 * the time (of the system's monotonic clock) are in the pipe: that write is synchronous, so a kill cannot take it back.
 *
 * Given a rate in bytes a second, it records as much as that without end, so that the write-ahead log is moved into the
 * file again and again.
 */
import { writeSync } from 'node:fs';
import { runId } from '@plugfest/model';
import { openCapture } from '../writer/open.ts';
import { bodyOfNumber, seeded } from './seeded.ts';
import { recordEdge, recordExchange } from './traffic.ts';

const [, , file = '', seedText = '1', rateText] = process.argv;
const seed = Number(seedText);
const bytesPerMs = Number(rateText ?? 0) / 1000;
const filler = '.'.repeat(bytesPerMs > 0 ? 16_000 : 0);
const random = seeded(seed);
const sink = openCapture({ file, run: runId('run-1') });
recordEdge(sink);
await sink.flush();
const startMs = performance.now();
/** What is due of the rate, once in a while; none of it where there is no rate. */
const due = (number: number): number =>
  Math.floor(((performance.now() - startMs) * bytesPerMs) / filler.length) - number;
for (let number = 0; ; ) {
  // No more than what a slow moment may leave behind, so that it is no burst that is measured.
  for (let left = bytesPerMs > 0 ? Math.min(64, due(number)) : random(8); left > 0; left -= 1, number += 1) {
    const body = bodyOfNumber(seed, number);
    const request = { chunks: [`{}${filler}`] };
    recordExchange(sink, { id: `x${number}`, request, response: { chunks: [body] } });
    acknowledge(`${number} ${process.hrtime.bigint()}\n`);
  }
  await new Promise((resolve) => setTimeout(resolve, bytesPerMs > 0 ? 1 : random(4)));
}

/** Whoever reads may be slow on a busy machine: a full pipe takes it later. */
function acknowledge(line: string): void {
  for (;;)
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
}
