// Plugfest's proxy, recording to a capture.
import { createInterposer } from '@plugfest/proxy';
import type { Ready } from './messages.ts';
import { openBenchCapture } from './sink.ts';

const upstreamPort = Number(process.argv[2]);
const sink = openBenchCapture();
const interposer = createInterposer({ sink, run: sink.run });
const tap = await interposer.openTap({
  caller: 'load',
  callee: 'upstream',
  kind: 'a2a',
  upstream: `http://127.0.0.1:${upstreamPort}`,
});
process.send?.({ type: 'ready', port: Number(new URL(tap.origin).port) } satisfies Ready);
process.on('disconnect', () => {
  // What was recorded is only for the bench.
  process.exit(0);
});
