import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createDeflate,
  createDeflateRaw,
  createGunzip,
  createGzip,
  createInflate,
  createInflateRaw,
  createZstdCompress,
  createZstdDecompress,
} from 'node:zlib';
import { headerValues, type RawHeaders } from '@plugfest/model';

/** Codings that change nothing, or that bodies on record are without. */
const transparent: ReadonlySet<string> = new Set(['', 'identity', 'chunked']);

/** Codings of a body in the order applied (RFC 9110 section 8.4, RFC 9112 section 7), also unknown ones. */
export function codingsOf(headers: RawHeaders): readonly string[] {
  return ['content-encoding', 'transfer-encoding'].flatMap((name) =>
    headerValues(headers, name)
      .flatMap((value) => value.split(','))
      .map((token) => token.trim().toLowerCase())
      .filter((token) => !transparent.has(token)),
  );
}

export const isKnownCoding = (name: string): boolean => codings.has(name);

/** `bytesWritten`: bytes that were taken in; what lies behind the end of the coded stream is none of them. */
type Flushable = Transform & {
  readonly bytesWritten?: number;
  flush?(kind: number, callback: () => void): void;
};

interface Coding {
  readonly decoder: (first: Uint8Array) => Flushable;
  readonly encoder: (first: Uint8Array) => Flushable;
  readonly flush: number;
}

/** `deflate` is named after zlib's format; some senders mean bare DEFLATE (RFC 9110 section 8.4.1.2). */
const isZlib = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;

const gzip: Coding = {
  decoder: () => createGunzip(),
  encoder: () => createGzip(),
  flush: constants.Z_SYNC_FLUSH,
};

const codings: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  [
    'deflate',
    {
      decoder: (first) => (isZlib(first) ? createInflate() : createInflateRaw()),
      encoder: (first) => (isZlib(first) ? createDeflate() : createDeflateRaw()),
      flush: constants.Z_SYNC_FLUSH,
    },
  ],
  [
    'br',
    {
      decoder: () => createBrotliDecompress(),
      encoder: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
      flush: constants.BROTLI_OPERATION_FLUSH,
    },
  ],
  [
    'zstd',
    {
      decoder: () => createZstdDecompress(),
      encoder: () => createZstdCompress(),
      flush: constants.ZSTD_e_flush,
    },
  ],
]);

/** True where bytes are decoded by the block: what went in may come out only with a later chunk. */
export const decodesLate = (coding: string): boolean => coding === 'zstd';

/** One compressing or decompressing stream, driven chunk by chunk: what goes in now comes out now. */
export class CodingStream {
  readonly #stream: Flushable;
  readonly #flush: number | undefined;
  readonly #limitBytes: number;
  #out: Buffer[] = [];
  #outBytes = 0;
  #totalBytes = 0;
  #givenBytes = 0;
  #error: Error | undefined;
  /** The coded stream ended as it should. */
  ended = false;

  private constructor(stream: Flushable, flush: number | undefined, limitBytes: number) {
    this.#stream = stream;
    this.#flush = flush;
    this.#limitBytes = limitBytes;
    stream.on('data', (piece: Buffer) => {
      this.#totalBytes += piece.byteLength;
      if (this.#totalBytes > this.#limitBytes) {
        stream.destroy(new Error(`it decodes to more than ${this.#limitBytes} bytes`));
        return;
      }
      this.#out.push(piece);
      this.#outBytes += piece.byteLength;
    });
    stream.on('error', (error: Error) => {
      this.#error ??= error;
    });
    stream.on('end', () => {
      this.ended = true;
    });
  }

  static decoder(coding: string, first: Uint8Array, limitBytes: number): CodingStream {
    return new CodingStream(coded(coding).decoder(first), undefined, limitBytes);
  }

  static encoder(coding: string, first: Uint8Array): CodingStream {
    const { encoder, flush } = coded(coding);
    return new CodingStream(encoder(first), flush, Number.POSITIVE_INFINITY);
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** What comes out of the bytes. Rejects where they are not of the coding, or decode to too much. */
  async write(bytes: Uint8Array): Promise<Buffer> {
    if (this.#error === undefined && bytes.byteLength > 0 && !this.#stream.destroyed) {
      await new Promise<void>((resolve) => {
        this.#stream.once('close', resolve);
        this.#stream.write(bytes, () => {
          this.#stream.off('close', resolve);
          resolve();
        });
      });
      if (this.#flush !== undefined && !this.#stream.destroyed)
        await new Promise<void>((resolve) => this.#stream.flush?.(this.#flush ?? 0, resolve));
      // Data events of the last bytes come a turn later.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#givenBytes += bytes.byteLength;
    if (this.ended && (this.#stream.bytesWritten ?? 0) < this.#givenBytes)
      this.#error ??= new Error('bytes follow its end');
    return this.#take();
  }

  /** The rest, at the end of the stream. */
  async end(): Promise<Buffer> {
    if (this.#error === undefined && !this.#stream.destroyed)
      await new Promise<void>((resolve) => {
        this.#stream.once('close', resolve);
        this.#stream.end();
      });
    return this.#take();
  }

  destroy(): void {
    this.#stream.destroy();
  }

  #take(): Buffer {
    if (this.#error !== undefined) throw this.#error;
    const bytes = Buffer.concat(this.#out, this.#outBytes);
    this.#out = [];
    this.#outBytes = 0;
    return bytes;
  }
}

function coded(name: string): Coding {
  const coding = codings.get(name);
  if (coding === undefined) throw new Error(`unknown content coding ${name}`);
  return coding;
}
