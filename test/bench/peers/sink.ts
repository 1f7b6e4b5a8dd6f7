import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CaptureEvent, CaptureSink, RunId } from '@plugfest/model';

export interface BenchSink {
  readonly sink: CaptureSink;
  /** What the figures were taken with. */
  readonly kind: string;
}

const flushBytes = 256 * 1024;
const flushMs = 20;

/** Packs events and hands them to a worker that appends them to a file: the shape of a recorder, without SQLite. */
class BatchSink implements CaptureSink {
  readonly run: RunId;
  private readonly worker: Worker;
  private batch: Buffer = Buffer.allocUnsafe(flushBytes * 2);
  private used = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(run: RunId, file: string) {
    this.run = run;
    this.worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       const { openSync, writeSync } = require('node:fs');
       const file = openSync(workerData, 'w');
       parentPort.on('message', (batch) => writeSync(file, batch));`,
      { eval: true, workerData: file },
    );
    this.worker.unref();
  }

  record(event: CaptureEvent): void {
    const bytes = event.kind === 'chunk' ? event.bytes : undefined;
    const { bytes: _bytes, ...head } = { bytes, ...event, atNs: Number(process.hrtime.bigint()) };
    const text = JSON.stringify(head);
    const size = text.length * 3 + (bytes?.length ?? 0);
    if (this.used + size > this.batch.length) this.post(size);
    this.used += this.batch.write(text, this.used, 'utf8');
    if (bytes !== undefined) {
      this.batch.set(bytes, this.used);
      this.used += bytes.length;
    }
    if (this.used >= flushBytes) this.post(0);
    else this.timer ??= setTimeout(() => this.post(0), flushMs);
  }

  private post(needed: number): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.used > 0) {
      const batch = Uint8Array.prototype.slice.call(this.batch, 0, this.used);
      this.worker.postMessage(batch, [batch.buffer as ArrayBuffer]);
      this.used = 0;
    }
    if (needed > this.batch.length) this.batch = Buffer.allocUnsafe(needed * 2);
  }

  async flush(): Promise<void> {
    this.post(0);
  }

  async close(): Promise<void> {
    await this.flush();
    await this.worker.terminate();
  }
}

/** A recorder that writes to a fresh temporary folder, which goes when the process does. */
export async function openBenchSink(run: RunId): Promise<BenchSink> {
  const folder = mkdtempSync(join(tmpdir(), 'plugfest-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { sink: new BatchSink(run, join(folder, 'batches')), kind: 'batches to a worker thread' };
}
