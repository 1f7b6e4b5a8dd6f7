/** A process that records until it is killed; prints how many exchanges are surely in the file. */
import { runId } from '@plugfest/model';
import { openCapture } from '../writer/open.ts';
import { recordEdge, recordExchange } from './traffic.ts';

const [, , file = ''] = process.argv;
const sink = openCapture({ file, run: runId('run-1') });
recordEdge(sink);
const body = Buffer.alloc(900, '{"text":"some words"}');
for (let count = 0; ; ) {
  for (let i = 0; i < 20; i += 1, count += 1)
    recordExchange(sink, { id: `x${count}`, request: { chunks: [body] }, response: { chunks: [body] } });
  const recorded = count;
  void sink.flush().then(() => process.stdout.write(`${recorded}\n`));
  await new Promise((resolve) => setTimeout(resolve, 2));
}
