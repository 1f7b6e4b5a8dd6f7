import type { Flow, ResponseAct, Stage } from './fault.ts';
import { type FramePart, FrameSplitter, readMessage } from './frames.ts';
import { codingOf, isEventStream, isGrpc, isWebSocket, shownBytes, withoutLength } from './head-edits.ts';
import { PendingBytes } from './pending-bytes.ts';
import { isChosen } from './selectors.ts';

/** Longest message that is held until it is whole, in bytes. */
const maxMessageBytes = 1024 * 1024;

type Emit = (bytes: Buffer, part: FramePart) => void;

interface Splitter {
  /** False where what follows is nothing that it can cut. */
  push(chunk: Buffer, emit: Emit): boolean;
  readonly restBytes: number;
  /** What is there of a message that did not end. */
  rest(): Buffer;
}

const lf = 0x0a;
const cr = 0x0d;
const colon = 0x3a;
const data = Buffer.from('data');

/** A field has its name before a colon, or alone on the line (WHATWG HTML section 9.2.6). */
const isData = (line: Buffer): boolean =>
  line.subarray(0, 4).equals(data) && (line.length === 4 || line[4] === colon);

/**
 * Cuts an event stream after each blank line. A block without data dispatches nothing (WHATWG HTML section 9.2.6), so it
 * is no message: comments keep their places.
 */
export class EventSplitter implements Splitter {
  private readonly pending = new PendingBytes();
  private at = 0;
  private lineStart = 0;
  private hasData = false;
  /** The last byte was a CR at the end of a chunk; an LF right after it belongs to it. */
  private halfEnd = false;

  push(chunk: Buffer, emit: Emit): boolean {
    this.pending.add(chunk);
    let bytes = this.pending.bytes();
    while (this.at < bytes.length) {
      const byte = bytes[this.at];
      if (this.halfEnd) {
        this.halfEnd = false;
        if (byte === lf) {
          this.at += 1;
          this.lineStart = this.at;
          continue;
        }
      }
      this.at += 1;
      if (byte !== lf && byte !== cr) continue;
      const lineEnd = this.at - 1;
      if (byte === cr) {
        if (this.at === bytes.length) this.halfEnd = true;
        else if (bytes[this.at] === lf) this.at += 1;
      }
      if (lineEnd > this.lineStart) {
        this.hasData ||= isData(bytes.subarray(this.lineStart, lineEnd));
        this.lineStart = this.at;
        continue;
      }
      const block = this.pending.take(this.at);
      bytes = this.pending.bytes();
      const isMessage = this.hasData;
      this.at = 0;
      this.lineStart = 0;
      this.hasData = false;
      emit(block, isMessage ? 'message' : 'control');
    }
    return true;
  }

  get restBytes(): number {
    return this.pending.length;
  }

  rest(): Buffer {
    return this.pending.bytes();
  }
}

/** Cuts a gRPC body into its length-prefixed messages. */
export class GrpcSplitter implements Splitter {
  private readonly pending = new PendingBytes();

  push(chunk: Buffer, emit: Emit): boolean {
    const { pending } = this;
    pending.add(chunk);
    while (pending.length >= 5) {
      const length = 5 + pending.bytes().readUInt32BE(1);
      if (pending.length < length) return true;
      emit(pending.take(length), 'message');
    }
    return true;
  }

  get restBytes(): number {
    return this.pending.length;
  }

  rest(): Buffer {
    return this.pending.bytes();
  }
}

export interface Message {
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer;
}

export interface MessageHandling {
  /** Called with each message; whatever is to go on is given to `next`. */
  message(message: Message, next: Flow): void;
  /** Called once, before the end or the cut. `count`: messages that came. */
  finish?(count: number, next: Flow): void;
}

function splitterOf(act: ResponseAct): Splitter | undefined {
  if (isWebSocket(act)) return new FrameSplitter();
  if (isEventStream(act)) return new EventSplitter();
  return isGrpc(act) ? new GrpcSplitter() : undefined;
}

/** A stage that sees a stream message by message; undefined, with a note, where the response is no such stream. */
export function onMessages(act: ResponseAct, handling: MessageHandling): Stage | undefined {
  const splitter = splitterOf(act);
  if (splitter === undefined || !act.hasBody) {
    act.bypassed('the response is no stream of events, nor of messages of gRPC or WebSocket');
    return undefined;
  }
  const coding = isEventStream(act) ? codingOf(act) : undefined;
  if (coding !== undefined) {
    act.bypassed(`the stream is encoded (${coding})`);
    return undefined;
  }
  return (next) => {
    let count = 0;
    let givenUp = false;
    let finished = false;
    const finish = (ended: boolean): void => {
      if (!finished) handling.finish?.(count, next);
      finished = true;
      if (ended && !givenUp && splitter.restBytes > 0) next.data(splitter.rest());
    };
    return {
      head: () => next.head(),
      data: (chunk) => {
        if (givenUp) {
          next.data(chunk);
          return;
        }
        const cuttable = splitter.push(chunk, (bytes, part) => {
          // Behind the last frame nothing is a message any more, whatever it looks like.
          if (part === 'message' && !finished) {
            count += 1;
            handling.message({ number: count, bytes }, next);
            return;
          }
          if (part === 'last') finish(false);
          next.data(bytes);
        });
        if (cuttable && splitter.restBytes <= maxMessageBytes) return;
        givenUp = true;
        const why = cuttable
          ? `is longer than the ${maxMessageBytes} bytes that are held`
          : 'is no frame of WebSocket';
        act.bypassed(`message ${count + 1} ${why}`);
        // What was held for a later message leaves before this one.
        finish(false);
        next.data(splitter.rest());
      },
      end: (trailers) => {
        finish(true);
        next.end(trailers);
      },
      cut: (reset, code) => {
        finish(true);
        next.cut(reset, code);
      },
    };
  };
}

interface MessageChoice {
  readonly event?: number | readonly number[] | undefined;
  readonly eventProbability?: number | undefined;
}

/** As `onMessages`, for the messages that were chosen; the others go on. Notes where none was there to be chosen. */
export function onChosenMessages(
  act: ResponseAct,
  choice: MessageChoice,
  handling: MessageHandling & {
    /** Called with each message that was not chosen, where it is not simply to go on. */
    other?(message: Message, next: Flow): void;
  },
): Stage | undefined {
  let chosen = 0;
  const stage = onMessages(act, {
    message: (message, next) => {
      const listed = isChosen(choice.event, message.number);
      // Drawn for each message, so that what is listed does not move what is drawn for later ones.
      const drawn = act.random.next() < (choice.eventProbability ?? 1);
      if (!listed || !drawn) {
        if (handling.other === undefined) next.data(message.bytes);
        else handling.other(message, next);
        return;
      }
      chosen += 1;
      handling.message(message, next);
    },
    finish: (count, next) => {
      handling.finish?.(count, next);
      if (chosen === 0) act.bypassed(`none of the ${count} messages of the stream was chosen`);
    },
  });
  if (stage !== undefined) withoutLength(act);
  return stage;
}

/** Where a message stands, for a record. */
export const placeOf = ({ number }: Message): string => `/events/${number - 1}`;

export function shownMessage(act: ResponseAct, { bytes }: Message): string {
  if (isWebSocket(act)) {
    const { isText, payload } = readMessage(bytes);
    return isText ? shownBytes(payload) : `${payload.length} bytes`;
  }
  return isGrpc(act) ? `${bytes.length} bytes` : shownBytes(bytes);
}
