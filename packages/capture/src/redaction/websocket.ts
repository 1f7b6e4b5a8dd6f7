import type { Side } from '@plugfest/model';
import { continuation, type Frame, frameAt, frameOf, isControl, payloadOf } from '../websocket/frame.ts';
import { Inflation } from '../websocket/inflation.ts';
import type { Negotiated } from '../websocket/negotiated.ts';
import { looksLikeText } from './looks-like-text.ts';
import {
  countTokens,
  type Edit,
  type Scan,
  Scanner,
  type Scanning,
  type Secrets,
  type Until,
} from './scanner.ts';

/** Longest message that is held back until it is complete; of a longer one nothing is stored, nor of what follows. */
const heldMessageBytes = 8 * 1024 * 1024;

/** Frames of a message at most: each takes more room than its bytes. */
const mostFrames = 16 * 1024;

/** Frames of a message that has not ended. */
interface Begun {
  readonly frames: Frame[];
  readonly payloads: Buffer[];
}

/**
 * Finds secrets in the messages of one side of a WebSocket, where a mask, a compression or borders of frames would
 * hide them. A message without one keeps its frames as they came. One with a secret is stored as a single frame, under
 * its own mask, and not compressed; nor are later ones then that may refer to it.
 */
export class WebSocketScanner implements Scanning {
  readonly heldBytes = heldMessageBytes;
  readonly #secrets: Secrets;
  readonly #side: Side;
  readonly #deflate: boolean;
  readonly #context: boolean;
  readonly #inflation: Inflation;
  /** What a message may refer to is no longer in the log. */
  #rewriting = false;
  /** No frames: the callee says something else. */
  #unframed: Scanner | undefined;
  blind = false;

  constructor(secrets: Secrets, side: Side, { deflate, withoutContext }: Negotiated) {
    this.#secrets = secrets;
    this.#side = side;
    this.#deflate = deflate;
    this.#context = !withoutContext.has(side);
    this.#inflation = new Inflation(this.#context, heldMessageBytes);
  }

  scan(bytes: Buffer, from: number, until: Until): Scan {
    if (this.#unframed !== undefined) return this.#unframed.scan(bytes, from, until);
    const edits: Edit[] = [];
    let safe = from;
    let begun: Begun | undefined;
    // Edits have to be in order; those of control frames within a message come before its own.
    let within: Edit[] = [];
    for (let at = from; ; ) {
      const frame = frameAt(bytes, at, this.#deflate);
      if (frame === 'broken') return this.#broken(bytes, safe, at, until, edits);
      if (frame === 'more' || frame.end > bytes.byteLength) {
        if (until === 'more' || safe === bytes.byteLength) return { edits, safe };
        return this.#cutOff(bytes, safe, until, edits, begun, frame);
      }
      at = frame.end;
      if (isControl(frame.opcode)) {
        const edit = this.#controlEdit(bytes, frame);
        if (edit !== undefined) (begun === undefined ? edits : within).push(edit);
      } else {
        // A message that begins within another ends it, or goes on with it: whatever is meant, it is searched as one.
        const unclear = begun !== undefined && frame.opcode !== continuation;
        const compressed = frame.compressed || (begun !== undefined && isCompressed(begun));
        if ((unclear && compressed) || (begun?.frames.length ?? 0) >= mostFrames) {
          this.blind = true;
          return { edits, safe };
        }
        begun ??= { frames: [], payloads: [] };
        begun.frames.push(frame);
        begun.payloads.push(payloadOf(bytes, frame));
        if (frame.fin) {
          const own = this.#messageEdits(begun);
          if (own === undefined) {
            this.blind = true;
            return { edits, safe };
          }
          // One by one: there may be more than a call can have arguments.
          for (const edit of [...within, ...own].sort((a, b) => a.start - b.start)) edits.push(edit);
          within = [];
          begun = undefined;
        }
      }
      if (begun === undefined) safe = at;
    }
  }

  /** No border of a frame is known any more. */
  loseTrack(): void {
    if (this.#unframed === undefined) this.blind = true;
  }

  #redacted(payload: Buffer): { readonly payload: Buffer; readonly tokens: number } | undefined {
    const { edits } = new Scanner(this.#secrets).scan(payload, 0, 'last');
    if (edits.length === 0) return undefined;
    const pieces: Uint8Array[] = [];
    let at = 0;
    for (const { start, end, text } of edits) {
      pieces.push(payload.subarray(at, start), typeof text === 'string' ? Buffer.from(text) : text);
      at = end;
    }
    pieces.push(payload.subarray(at));
    return { payload: Buffer.concat(pieces), tokens: countTokens(edits) };
  }

  #controlEdit(bytes: Buffer, frame: Frame): Edit | undefined {
    const redacted = this.#redacted(payloadOf(bytes, frame));
    if (redacted === undefined) return undefined;
    const { start, end, opcode, key } = frame;
    const text = frameOf(opcode, redacted.payload, key);
    return { start, end, text, trigger: start, tokens: redacted.tokens };
  }

  /** Nothing where the message stays as it is; undefined where it cannot be searched. */
  #messageEdits({ frames, payloads }: Begun): Edit[] | undefined {
    const [first] = frames;
    if (first === undefined) return [];
    const whole = payloads.length === 1 ? payloads[0] : undefined;
    const carried = whole ?? Buffer.concat(payloads);
    const message = first.compressed ? this.#inflation.inflate(carried) : carried;
    if (message === undefined) return undefined;
    const redacted = this.#redacted(message);
    if (redacted === undefined && !(first.compressed && this.#rewriting)) return [];
    if (first.compressed && this.#context) this.#rewriting = true;
    const text = frameOf(first.opcode, redacted?.payload ?? message, first.key);
    return frames.map(({ start, end }, i) =>
      i === 0
        ? { start, end, text, trigger: start, tokens: redacted?.tokens ?? 0 }
        : { start, end, text: '', trigger: start },
    );
  }

  /** What a message holds whose end does not come, or that is too long to wait for it. */
  #cutOff(
    bytes: Buffer,
    safe: number,
    until: Until,
    edits: Edit[],
    begun: Begun | undefined,
    last: Frame | 'more',
  ): Scan {
    if (until === 'last') {
      const frames = [...(begun?.frames ?? []), ...(last === 'more' ? [] : [last])];
      const payloads = [...(begun?.payloads ?? []), ...(last === 'more' ? [] : [payloadOf(bytes, last)])];
      const carried = Buffer.concat(payloads);
      const compressed = frames[0]?.compressed === true;
      const message = compressed ? this.#inflation.inflate(carried, true) : carried;
      const clean = message !== undefined && this.#redacted(message) === undefined;
      if (clean && !(compressed && this.#rewriting)) return { edits, safe: bytes.byteLength };
    }
    this.blind = true;
    return { edits, safe };
  }

  /** A server that sends no frames sends text; bytes that are none may be a frame behind a mask. */
  #broken(bytes: Buffer, safe: number, at: number, until: Until, edits: Edit[]): Scan {
    // So few may be the beginning of a character.
    if (until === 'more' && bytes.byteLength - at < 4) return { edits, safe };
    const isText = looksLikeText(bytes.subarray(at));
    if (this.#side === 'request' || this.#deflate || safe !== at || !isText) {
      this.blind = true;
      return { edits, safe };
    }
    this.#unframed = new Scanner(this.#secrets);
    const rest = this.#unframed.scan(bytes, safe, until);
    return { edits: [...edits, ...rest.edits], safe: rest.safe };
  }
}

const isCompressed = ({ frames }: Begun): boolean => frames[0]?.compressed === true;
