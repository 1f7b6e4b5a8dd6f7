// Plugfest's proxy, recording nothing: what forwarding alone costs.
import { runId } from '@plugfest/model';
import { createInterposer } from '@plugfest/proxy';
import { serveBench } from './proxy-peer.ts';

const sink = {
  run: runId('bench'),
  record: () => undefined,
  flush: async () => undefined,
  close: async () => undefined,
};
const interposer = createInterposer({ sink, run: sink.run });
const tap = await interposer.openTap({
  caller: 'load',
  callee: 'upstream',
  kind: 'a2a',
  upstream: `http://127.0.0.1:${process.argv[2]}`,
});
serveBench(Number(new URL(tap.origin).port));
