/**
 * A process that records in bursts until it is killed, and never flushes. Once an exchange was recorded, its number and
 * the time (of the system's monotonic clock) are in the pipe: that write is synchronous, so a kill cannot take it back.
 */
import { writeSync } from 'node:fs';
import { runId } from '@plugfest/model';
import { openCapture } from '../writer/open.ts';
import { bodyOfNumber, seeded } from './seeded.ts';
import { recordEdge, recordExchange } from './traffic.ts';

const [, , file = '', seedText = '1'] = process.argv;
const seed = Number(seedText);
const random = seeded(seed);
const sink = openCapture({ file, run: runId('run-1') });
recordEdge(sink);
await sink.flush();
for (let number = 0; ; ) {
  for (let left = random(8); left > 0; left -= 1, number += 1) {
    const body = bodyOfNumber(seed, number);
    recordExchange(sink, { id: `x${number}`, request: { chunks: ['{}'] }, response: { chunks: [body] } });
    acknowledge(`${number} ${process.hrtime.bigint()}\n`);
  }
  await new Promise((resolve) => setTimeout(resolve, random(4)));
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
