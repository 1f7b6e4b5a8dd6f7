import type { Flow, ResponseAct, Stage } from './fault.ts';
import { codingOf, isEventStream, isGrpc, shownBytes, withoutLength } from './head-edits.ts';
import { isChosen } from './selectors.ts';

/** Longest message that is held until it is whole, in bytes. */
const maxMessageBytes = 1024 * 1024;

type Emit = (bytes: Buffer, isMessage: boolean) => void;

interface Splitter {
  push(chunk: Buffer, emit: Emit): void;
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
  private pending: Buffer = Buffer.alloc(0);
  private at = 0;
  private lineStart = 0;
  private hasData = false;
  /** The last byte was a CR at the end of a chunk; an LF right after it belongs to it. */
  private halfEnd = false;

  push(chunk: Buffer, emit: Emit): void {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    while (this.at < this.pending.length) {
      const byte = this.pending[this.at];
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
        if (this.at === this.pending.length) this.halfEnd = true;
        else if (this.pending[this.at] === lf) this.at += 1;
      }
      if (lineEnd > this.lineStart) {
        this.hasData ||= isData(this.pending.subarray(this.lineStart, lineEnd));
        this.lineStart = this.at;
        continue;
      }
      const block = this.pending.subarray(0, this.at);
      const isMessage = this.hasData;
      this.pending = this.pending.subarray(this.at);
      this.at = 0;
      this.lineStart = 0;
      this.hasData = false;
      emit(block, isMessage);
    }
  }

  rest(): Buffer {
    return this.pending;
  }
}

/** Cuts a gRPC body into its length-prefixed messages. */
export class GrpcSplitter implements Splitter {
  private pending: Buffer = Buffer.alloc(0);

  push(chunk: Buffer, emit: Emit): void {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    while (this.pending.length >= 5) {
      const length = 5 + this.pending.readUInt32BE(1);
      if (this.pending.length < length) return;
      const message = this.pending.subarray(0, length);
      this.pending = this.pending.subarray(length);
      emit(message, true);
    }
  }

  rest(): Buffer {
    return this.pending;
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

/** A stage that sees a stream message by message; undefined, with a note, where the response is no such stream. */
export function onMessages(act: ResponseAct, handling: MessageHandling): Stage | undefined {
  const splitter = isEventStream(act) ? new EventSplitter() : isGrpc(act) ? new GrpcSplitter() : undefined;
  if (splitter === undefined || !act.hasBody) {
    act.bypassed('the response is no stream of events or gRPC messages');
    return undefined;
  }
  const coding = isGrpc(act) ? undefined : codingOf(act);
  if (coding !== undefined) {
    act.bypassed(`the stream is encoded (${coding})`);
    return undefined;
  }
  return (next) => {
    let count = 0;
    let givenUp = false;
    let finished = false;
    const finish = (): void => {
      if (finished) return;
      finished = true;
      handling.finish?.(count, next);
      const rest = splitter.rest();
      if (!givenUp && rest.length > 0) next.data(rest);
    };
    return {
      head: () => next.head(),
      data: (chunk) => {
        if (givenUp) {
          next.data(chunk);
          return;
        }
        splitter.push(chunk, (bytes, isMessage) => {
          if (isMessage) {
            count += 1;
            handling.message({ number: count, bytes }, next);
          } else next.data(bytes);
        });
        const rest = splitter.rest();
        if (rest.length <= maxMessageBytes) return;
        givenUp = true;
        act.bypassed(`message ${count + 1} is longer than the ${maxMessageBytes} bytes that are held`);
        next.data(rest);
      },
      end: (trailers) => {
        finish();
        next.end(trailers);
      },
      cut: (reset, code) => {
        finish();
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

export const shownMessage = (act: ResponseAct, { bytes }: Message): string =>
  isGrpc(act) ? `${bytes.length} bytes` : shownBytes(bytes);
