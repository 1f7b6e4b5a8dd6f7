import { Worker } from 'node:worker_threads';
import {
  type CaptureEvent,
  type CaptureSink,
  type ExchangeId,
  PlugfestError,
  type RunId,
} from '@plugfest/model';
import { type CaptureClock, processClock } from '../clock.ts';
import { Batch } from '../packed/batch.ts';
import { Packer } from '../packed/packer.ts';
import type { RedactionOptions } from '../redaction/options.ts';
import { lossError, threadError } from './failure.ts';
import type { FromWriter, ToWriter } from './messages.ts';
import { type Existing, prepare, type Session } from './prepare.ts';
import type { WriterData } from './thread-data.ts';

export interface CaptureOptions {
  readonly file: string;
  readonly run: RunId;
  readonly redaction?: RedactionOptions;
  /** Stores secrets in the clear. */
  readonly unsafeRaw?: boolean;
  /** Forces every batch to the platter; survives a power cut, not just a kill. */
  readonly durable?: boolean;
  /** A file that exists: `refuse` (the default), `replace`, or `continue` with another session. */
  readonly existing?: Existing;
  /** A batch is sent this long after its first event; 20 by default. */
  readonly flushMs?: number;
  /** Bytes that may wait for the disk before payload is dropped; 64 MiB by default. */
  readonly queueBytes?: number;
  /** Bytes stored of one body at most; 64 MiB by default. */
  readonly bodyCapBytes?: number;
  /** Size of the file at most; none by default. */
  readonly limitBytes?: number;
  readonly clock?: CaptureClock;
}

/** A sink that writes a file. */
export interface FileSink extends CaptureSink {
  readonly file: string;
  /**
   * Says what wall-clock time is `at_ns` 0, for importers: their traffic is older than the file. Only before the
   * first event.
   */
  setStart(wallMs: number): void;
  /** Blocks until what was recorded is in the file, `timeoutMs` at most; for signal handlers. False where it was not. */
  flushSync(timeoutMs?: number): boolean;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How long the thread may take to end once it has closed the file. */
const threadPatienceMs = 5000;

const anchorEveryNs = 60e9;

/** Buffers of stored batches that are kept for later ones, at most. */
const mostSpare = 8;

interface Waiter {
  readonly upTo: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Opens a capture for recording.
 *
 * Throws `PLUGFEST_OUTPUT` where the file exists or cannot be made, `PLUGFEST_CAPTURE_BUSY` where somebody else
 * writes it. After that nothing here throws: what cannot be stored is dropped, marked by a gap, and reported by
 * `flush` and `close`, which then reject with `PLUGFEST_CAPTURE_WRITE`.
 */
export function openCapture(options: CaptureOptions): FileSink {
  const { file, run, existing = 'refuse', unsafeRaw = false } = options;
  const clock = options.clock ?? processClock();
  const openedNs = clock.nowNs();
  const session = prepare({ file, run, existing, unsafeRaw, wallMs: clock.wallMs() });
  return new Recorder(options, clock, session, session.startNs - openedNs);
}

class Recorder implements FileSink {
  readonly file: string;
  readonly run: RunId;
  readonly #clock: CaptureClock;
  readonly #worker: Worker;
  readonly #flushMs: number;
  readonly #queueCap: number;
  readonly #committed = new Int32Array(new SharedArrayBuffer(4));
  /** Added to the clock: `at_ns` 0 is when the file was made. */
  readonly #offsetNs: number;
  readonly #anchorSeq: number;
  /** Set by an importer: the traffic has a start of its own, and this process's clock says nothing about it. */
  #imported = false;
  #seq: number;
  #lastAnchorNs = 0;
  readonly #packer = new Packer();
  #batch: Batch | undefined;
  readonly #spare: ArrayBuffer[] = [];
  #timer: NodeJS.Timeout | undefined;
  #batches = 0;
  #acknowledged = 0;
  #waitingBytes = 0;
  readonly #sizes: number[] = [];
  #waiters: Waiter[] = [];
  #dropping = new Map<ExchangeId, { seq: number; atNs: number; bytes: number }>();
  #failure: unknown;
  #threadGone = false;
  readonly #exited: Promise<unknown>;
  #closing: Promise<void> | undefined;
  #closed: (() => void) | undefined;

  constructor(options: CaptureOptions, clock: CaptureClock, session: Session, offsetNs: number) {
    this.file = options.file;
    this.run = options.run;
    this.#clock = clock;
    this.#flushMs = options.flushMs ?? 20;
    this.#queueCap = options.queueBytes ?? 64 * 1024 * 1024;
    this.#seq = session.anchorSeq;
    this.#anchorSeq = session.anchorSeq;
    this.#offsetNs = offsetNs;
    this.#lastAnchorNs = session.startNs;
    const workerData: WriterData = {
      file: options.file,
      runSeq: session.runSeq,
      durable: options.durable ?? false,
      unsafeRaw: options.unsafeRaw ?? false,
      redaction: options.redaction ?? {},
      bodyCapBytes: options.bodyCapBytes ?? 64 * 1024 * 1024,
      limitBytes: options.limitBytes,
      committed: this.#committed.buffer,
    };
    this.#worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData,
      name: 'plugfest-capture',
    });
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.on('message', (message: FromWriter) => this.#hear(message));
    this.#worker.on('error', (error) => this.#lose(threadError(this.file, error)));
    this.#worker.on('exit', (code) => this.#lose(threadError(this.file, `exit code ${code}`)));
  }

  record(event: CaptureEvent): void {
    if (this.#threadGone || this.#closing !== undefined) return;
    const atNs = event.atNs ?? this.#nowNs();
    if (atNs - this.#lastAnchorNs > anchorEveryNs) this.#anchor(atNs);
    const seq = ++this.#seq;
    try {
      if (event.kind === 'chunk') this.#chunk(event, seq, atNs);
      else this.#packer.event(this.#room(0), event, seq, atNs);
    } catch (cause) {
      // Something in an event is not what its type says: our own fault, but not one that may stop traffic.
      const message = `${this.file}: an event could not be recorded (${event.kind})`;
      this.#failure ??= new PlugfestError('PLUGFEST_INTERNAL', message, { cause });
      return;
    }
    if (this.#batch?.full === true) this.#post();
    if (event.kind === 'end' && this.#dropping.size > 0) this.#markDropped(event.exchange);
  }

  #chunk(event: Extract<CaptureEvent, { readonly kind: 'chunk' }>, seq: number, atNs: number): void {
    const { exchange, bytes } = event;
    const size = bytes.byteLength;
    if (this.#waitingBytes + (this.#batch?.bytes ?? 0) + size <= this.#queueCap) {
      this.#packer.chunk(this.#room(size), event, seq, atNs, true);
      return;
    }
    this.#packer.chunk(this.#room(0), event, seq, atNs, false);
    const lost = this.#dropping.get(exchange);
    if (lost === undefined) this.#dropping.set(exchange, { seq, atNs, bytes: size });
    else lost.bytes += size;
  }

  setStart(wallMs: number): void {
    if (this.#threadGone || this.#closing !== undefined) return;
    this.#imported = true;
    this.#packer.other(this.#room(0), { kind: 'clock', wallMs }, { seq: this.#anchorSeq, atNs: 0 });
  }

  flush(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#post();
    if (this.#acknowledged === this.#batches) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.push({ upTo: this.#batches, resolve, reject });
    });
  }

  flushSync(timeoutMs = 2000): boolean {
    this.#post();
    const until = performance.now() + timeoutMs;
    for (;;) {
      const done = Atomics.load(this.#committed, 0);
      if (done >= this.#batches) return this.#failure === undefined;
      const left = until - performance.now();
      if (this.#threadGone || left <= 0) return false;
      Atomics.wait(this.#committed, 0, done, left);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const atNs = this.#nowNs();
    for (const exchange of [...this.#dropping.keys()]) this.#markDropped(exchange);
    this.#anchor(atNs);
    this.#post();
    if (!this.#threadGone) {
      const closed = new Promise<void>((resolve) => {
        this.#closed = resolve;
      });
      this.#send({ kind: 'close', seq: ++this.#seq, atNs });
      await closed;
    }
    await this.#gone();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The thread closes its database and ends by itself; stopped in the middle of that, the process may crash. */
  async #gone(): Promise<void> {
    const patience = setTimeout(() => void this.#worker.terminate(), threadPatienceMs);
    await this.#exited;
    clearTimeout(patience);
  }

  #nowNs(): number {
    return this.#clock.nowNs() + this.#offsetNs;
  }

  #anchor(atNs: number): void {
    if (this.#imported) return;
    this.#lastAnchorNs = atNs;
    const anchor = { kind: 'clock', wallMs: this.#clock.wallMs() } as const;
    this.#packer.other(this.#room(0), anchor, { seq: ++this.#seq, atNs });
  }

  /** The open batch, with room for that many bytes; a new one starts the timer. */
  #room(bytes: number): Batch {
    if (this.#batch !== undefined && !this.#batch.fits(bytes)) this.#post();
    if (this.#batch === undefined) {
      this.#batch = new Batch(bytes, this.#spare.pop());
      this.#timer = setTimeout(() => this.#post(), this.#flushMs);
    }
    return this.#batch;
  }

  #post(): void {
    const batch = this.#batch;
    if (batch === undefined) return;
    clearTimeout(this.#timer);
    this.#batch = undefined;
    this.#batches += 1;
    this.#sizes.push(batch.bytes);
    this.#waitingBytes += batch.bytes;
    this.#send({ kind: 'batch', id: this.#batches, ...batch.seal() });
  }

  #send(message: ToWriter): void {
    if (this.#threadGone) return;
    this.#worker.postMessage(message, message.kind === 'batch' ? [message.buffer] : []);
  }

  #hear(message: FromWriter): void {
    if (message.loss !== undefined) this.#failure = lossError(this.file, message.loss);
    if (message.kind === 'closed') {
      this.#closed?.();
      this.#closed = undefined;
      return;
    }
    for (const buffer of message.buffers) if (this.#spare.length < mostSpare) this.#spare.push(buffer);
    for (; this.#acknowledged < message.id; this.#acknowledged += 1)
      this.#waitingBytes -= this.#sizes.shift() ?? 0;
    if (this.#dropping.size > 0 && this.#waitingBytes < this.#queueCap / 2)
      for (const exchange of [...this.#dropping.keys()]) this.#markDropped(exchange);
    this.#settle();
  }

  /** The queue has room again, or the exchange ended: what was dropped of it becomes a record. */
  #markDropped(exchange: ExchangeId): void {
    const lost = this.#dropping.get(exchange);
    if (lost === undefined) return;
    this.#dropping.delete(exchange);
    const detail = `more than ${this.#queueCap} bytes waited for the disk`;
    const gap = { reason: 'queue-full', exchange, lostBytes: lost.bytes, detail } as const;
    if (!this.#threadGone) this.#packer.other(this.#room(0), { kind: 'gap', gap }, lost);
  }

  #lose(error: unknown): void {
    if (this.#threadGone) return;
    this.#threadGone = true;
    // A thread that ends after `closed` ended as it should.
    if (this.#closing === undefined || this.#closed !== undefined) this.#failure ??= error;
    this.#closed?.();
    this.#closed = undefined;
    this.#batch = undefined;
    clearTimeout(this.#timer);
    this.#settle();
  }

  #settle(): void {
    const settled: Waiter[] = [];
    this.#waiters = this.#waiters.filter((waiter) => {
      const done = this.#failure !== undefined || waiter.upTo <= this.#acknowledged;
      if (done) settled.push(waiter);
      return !done;
    });
    for (const waiter of settled) {
      if (this.#failure !== undefined) waiter.reject(this.#failure);
      else waiter.resolve();
    }
  }
}
