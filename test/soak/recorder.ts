// The recorder under load: a tap and its capture in a process of their own, which says how it fares.
import { openCapture } from '@plugfest/capture';
import { runId } from '@plugfest/model';
import { createInterposer } from '@plugfest/proxy';
import type { Closed, Order, Ready, Usage } from './messages.ts';

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

function usage(): Usage {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    rssBytes: rss,
    heapBytes: heapUsed,
    externalBytes: external,
    active: active(),
    cpuUs: user + system,
  };
}

const say = (message: Ready | Usage | Closed): void => void process.send?.(message);

process.on('message', (order: Order) => {
  if (order.type === 'usage') say(usage());
  else
    void (async () => {
      await interposer.close();
      await sink.close();
      // A turn for what closes by itself.
      await new Promise((resolve) => setTimeout(resolve, 100));
      say({ active: active() });
    })();
});
say({ origin: tap.origin });
