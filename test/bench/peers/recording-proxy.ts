// Plugfest's proxy, recording to a capture.
import { runId } from '@plugfest/model';
import { createInterposer } from '@plugfest/proxy';
import type { Ready } from './messages.ts';
import { openBenchSink } from './sink.ts';

const upstreamPort = Number(process.argv[2]);
const { sink, kind } = await openBenchSink(runId('bench'));
const interposer = createInterposer({ sink, run: sink.run });
const tap = await interposer.openTap({
  caller: 'load',
  callee: 'upstream',
  kind: 'a2a',
  upstream: `http://127.0.0.1:${upstreamPort}`,
});
process.send?.({
  type: 'ready',
  port: Number(new URL(tap.origin).port),
  detail: { recorder: kind },
} satisfies Ready);
process.on('disconnect', () => {
  // What was recorded is only for the bench.
  process.exit(0);
});
