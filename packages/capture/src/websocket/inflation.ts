import { constants, inflateRawSync } from 'node:zlib';

/** What the compressed messages of one side may make together: a peer must not keep a reader busy. */
const inflatedBytes = 256 * 1024 * 1024;
/** The longest window of DEFLATE: what a message may refer to of those before it. */
const windowBytes = 32 * 1024;
/** What a sender leaves out at the end of a message (RFC 7692 section 7.2.1). */
const tail = Buffer.from([0x00, 0x00, 0xff, 0xff]);

/** Undoes the compression of one side's messages, which may refer to one another. */
export class Inflation {
  readonly #context: boolean;
  readonly #maxMessageBytes: number;
  #window: Buffer = Buffer.alloc(0);
  #total = 0;

  /** `context`: each message may refer to those before it. */
  constructor(context: boolean, maxMessageBytes: number) {
    this.#context = context;
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** The message without its compression; undefined where it is damaged, or too large. `cut`: its end is missing. */
  inflate(payload: Buffer, cut = false): Buffer | undefined {
    if (this.#total > inflatedBytes) return undefined;
    try {
      const message = inflateRawSync(cut ? payload : Buffer.concat([payload, tail]), {
        ...(this.#window.byteLength > 0 ? { dictionary: this.#window } : {}),
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: this.#maxMessageBytes,
      });
      this.#total += message.byteLength;
      if (this.#context) this.#window = Buffer.concat([this.#window, message]).subarray(-windowBytes);
      return message;
    } catch {
      // A fault of its sender, or of who cut it off: the bytes themselves are the evidence.
      return undefined;
    }
  }
}
