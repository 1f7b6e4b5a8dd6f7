// The recorder under load: a tap and its capture in a process of their own, which says how it fares.
import type { Worker } from 'node:worker_threads';
import { openCapture } from '@plugfest/capture';
import { runId } from '@plugfest/model';
import { createInterposer } from '@plugfest/proxy';
import type { Closed, Order, Ready, Usage } from './messages.ts';

const threads: Worker[] = [];
process.on('worker', (thread: Worker) => threads.push(thread));

const [file = '', upstream = ''] = process.argv.slice(2);
const sink = openCapture({ file, run: runId('soak') });
const interposer = createInterposer({ sink, run: sink.run });
sink.record({ kind: 'participant', participant: { name: 'load', kind: 'unknown' } });
sink.record({ kind: 'participant', participant: { name: 'agent', kind: 'unknown' } });
const tap = await interposer.openTap({ caller: 'load', callee: 'agent', kind: 'a2a', upstream });

function active(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

async function usage(): Promise<Usage> {
  let threadBytes = 0;
  for (const thread of threads) {
    const statistics = await thread.getHeapStatistics();
    threadBytes += statistics.used_heap_size + statistics.external_memory;
  }
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    rssBytes: rss,
    heapBytes: heapUsed,
    externalBytes: external,
    threadBytes,
    active: active(),
    cpuUs: user + system,
  };
}

const say = (message: Ready | Usage | Closed): void => void process.send?.(message);

process.on('message', (order: Order) => {
  if (order.type === 'usage') void usage().then(say);
  else
    void (async () => {
      await interposer.close();
      await sink.close();
      // A turn for what closes by itself.
      await new Promise((resolve) => setTimeout(resolve, 100));
      say({ active: active() });
    })();
});
// The thread has to be at work before it can be asked how it fares.
await sink.flush();
say({ origin: tap.origin });
