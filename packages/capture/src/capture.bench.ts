/**
 * node packages/capture/src/capture.bench.ts [EXCHANGES]
 * What recording and reading cost, by the clock and in CPU time (all threads; it hardly depends on what else runs).
 * Exchanges are small: two heads of nine fields, one body of 0.9 kB each way. They come as fast as they are stored, a
 * few hundred being recorded while those before are written; the first, while the code is still being compiled, are not
 * counted.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CaptureEvent, runId } from '@plugfest/model';
import { openCaptureSource } from './reader/open.ts';
import { checkSeal } from './seal/check.ts';
import { sealCapture } from './seal/seal.ts';
import { eventsOf, recordEdge } from './testing/traffic.ts';
import { openCapture } from './writer/open.ts';

const count = Number(process.argv[2] ?? 20_000);
/** Exchanges recorded before the counting begins, and those recorded at a time. */
const uncounted = 5000;
const burst = 500;
const folder = mkdtempSync(join(tmpdir(), 'capture-'));
const filler = 'the quick brown fox jumps over the lazy dog '.repeat(16);
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendMessage',
  params: { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: filler }] } },
});
const headers = [
  ...[
    'Host',
    'agent.example:8080',
    'Content-Type',
    'application/json',
    'A2A-Version',
    '1.0',
    'User-Agent',
    'node',
  ],
  ...[
    'Accept',
    'application/json, text/event-stream',
    'Content-Length',
    String(body.length),
    'Connection',
    'keep-alive',
  ],
  ...['traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, 'Authorization', 'Bearer abcdefghijklmnop'],
];

/** CPU time of the process so far, in milliseconds. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The same of this thread alone: the one that a proxy forwards in. */
const ownCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

for (const unsafeRaw of [false, true]) {
  const file = join(folder, `${unsafeRaw ? 'raw' : 'redacted'}.sqlite`);
  const exchange = (id: string): readonly CaptureEvent[] =>
    eventsOf({ id, request: { headers, chunks: [body] }, response: { headers, chunks: [body] } });
  const events: CaptureEvent[] = [];
  for (let i = 0; i < count; i += 1) events.push(...exchange(`x${i}`));
  const sink = openCapture({ file, run: runId('speed'), unsafeRaw, queueBytes: 4e9 });
  recordEdge(sink);
  for (let i = 0; i < uncounted; i += 1) {
    for (const event of exchange(`u${i}`)) sink.record(event);
    if (i % burst === 0) await sink.flush();
  }
  await sink.flush();
  const cpuStart = cpuMs();
  const start = performance.now();
  const ownStart = ownCpuMs();
  let recordedMs = 0;
  let stored = Promise.resolve();
  const perBurst = (burst * events.length) / count;
  for (let from = 0; from < events.length; from += perBurst) {
    const part = events.slice(from, from + perBurst);
    const began = performance.now();
    for (const event of part) sink.record(event);
    recordedMs += performance.now() - began;
    const before = stored;
    stored = sink.flush();
    await before;
  }
  await stored;
  const storedAt = performance.now();
  const ownRecorded = ownCpuMs();
  const cpuStored = cpuMs();
  await sink.close();
  const source = openCaptureSource(file);
  const opened = performance.now();
  const cpuOpened = cpuMs();
  let bytes = 0;
  for (const { request } of source.exchanges()) bytes += request.body.storedBytes;
  const passed = performance.now();
  const cpuPassed = cpuMs();
  for (const { request } of source.exchanges()) bytes += request.body.storedBytes;
  const again = performance.now();
  const cpuAgain = cpuMs();
  source.close();
  sealCapture(file);
  const cpuSealed = cpuMs();
  if (checkSeal(file).alterations.length > 0) throw new Error('nothing was altered');
  const cpuChecked = cpuMs();
  const report = {
    redaction: !unsafeRaw,
    exchanges: count,
    recordMicrosecondsPerEvent: (recordedMs * 1000) / events.length,
    recordMicrosecondsPerExchange: (recordedMs * 1000) / count,
    storedExchangesPerSecond: count / ((storedAt - start) / 1000),
    readExchangesPerSecondWithRoot: count / ((passed - opened) / 1000),
    readExchangesPerSecond: count / ((again - passed) / 1000),
    recordCpuMicrosecondsPerExchange: ((ownRecorded - ownStart) * 1000) / count,
    storeCpuMicrosecondsPerExchange: ((cpuStored - cpuStart) * 1000) / count,
    readCpuMicrosecondsPerExchangeWithRoot: ((cpuPassed - cpuOpened) * 1000) / count,
    readCpuMicrosecondsPerExchange: ((cpuAgain - cpuPassed) * 1000) / count,
    sealCpuMicrosecondsPerExchange: ((cpuSealed - cpuAgain) * 1000) / count,
    checkCpuMicrosecondsPerExchange: ((cpuChecked - cpuSealed) * 1000) / count,
    fileBytesPerExchange: statSync(file).size / (count + uncounted),
    bytes,
  };
  console.log(
    JSON.stringify(
      report,
      (_, value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value),
      2,
    ),
  );
}
rmSync(folder, { recursive: true });
