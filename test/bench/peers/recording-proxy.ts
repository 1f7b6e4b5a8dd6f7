// Plugfest's proxy, recording to a capture.
import { createInterposer } from '@plugfest/proxy';
import { serveBench } from './proxy-peer.ts';
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
serveBench(Number(new URL(tap.origin).port));
