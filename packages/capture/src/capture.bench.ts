/**
 * node packages/capture/src/capture.bench.ts [EXCHANGES]
 * What recording and reading cost, by the clock and in CPU time (all threads; it hardly depends on what else runs).
 * Exchanges are small: two heads of nine fields, one body of 0.9 kB each way.
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
  const events: CaptureEvent[] = [];
  for (let i = 0; i < count; i += 1)
    events.push(
      ...eventsOf({
        id: `x${i}`,
        request: { headers, chunks: [body] },
        response: { headers, chunks: [body] },
      }),
    );
  const sink = openCapture({ file, run: runId('speed'), unsafeRaw, queueBytes: 4e9 });
  recordEdge(sink);
  await sink.flush();
  const cpuStart = cpuMs();
  const ownStart = ownCpuMs();
  const start = performance.now();
  for (const event of events) sink.record(event);
  const recorded = performance.now();
  const ownRecorded = ownCpuMs();
  await sink.flush();
  const stored = performance.now();
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
    recordMicrosecondsPerEvent: ((recorded - start) * 1000) / events.length,
    recordMicrosecondsPerExchange: ((recorded - start) * 1000) / count,
    storedExchangesPerSecond: count / ((stored - start) / 1000),
    readExchangesPerSecondWithRoot: count / ((passed - opened) / 1000),
    readExchangesPerSecond: count / ((again - passed) / 1000),
    recordCpuMicrosecondsPerExchange: ((ownRecorded - ownStart) * 1000) / count,
    storeCpuMicrosecondsPerExchange: ((cpuStored - cpuStart) * 1000) / count,
    readCpuMicrosecondsPerExchangeWithRoot: ((cpuPassed - cpuOpened) * 1000) / count,
    readCpuMicrosecondsPerExchange: ((cpuAgain - cpuPassed) * 1000) / count,
    sealCpuMicrosecondsPerExchange: ((cpuSealed - cpuAgain) * 1000) / count,
    checkCpuMicrosecondsPerExchange: ((cpuChecked - cpuSealed) * 1000) / count,
    fileBytesPerExchange: statSync(file).size / count,
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
