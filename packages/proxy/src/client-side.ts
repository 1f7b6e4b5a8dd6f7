import type { Change } from '@plugfest/model';
import type { Problem } from './problem.ts';

/** What a `ClientSide` tells the exchange that it belongs to. */
export interface ClientObserver {
  /** The client reads too slowly. */
  pause(): void;
  resume(): void;
  /** The client has closed its sending half after a whole request. Of HTTP/1.1 only. */
  onClientHalfClose(): void;
  /** The bytes of the request are none of HTTP any more, or end. True where the client can be answered. Of HTTP/1.1 only. */
  onClientError(detail: string): boolean;
  /** Nothing more can be sent: all was, or the client has left. Called once. */
  onClientClosed(): void;
}

/** How a client left. */
export interface Departure {
  /** True where it ended its connection with an RST, or its stream with RST_STREAM. */
  readonly reset: boolean;
  /** For people; absent where there is nothing to tell beyond the end itself. */
  readonly detail?: string;
  /** Error code of its RST_STREAM. */
  readonly code?: number;
  /** True where it has not left, but the proxy could not go on with it. */
  readonly byProxy?: boolean;
}

/** The client of an exchange: where its response goes. HTTP/1.1 and HTTP/2 have one each. */
export interface ClientSide {
  /** Comes before everything else. */
  observe(observer: ClientObserver): void;
  /** True once a final head is on its way. */
  readonly headSent: boolean;
  /** True once every byte was handed to the operating system. */
  readonly delivered: boolean;
  /** True once there is nobody to send to. */
  readonly gone: boolean;
  departure(): Departure;
  /** The client has closed its sending half: nothing more can come on this connection. */
  isLast(): void;
  /** An interim response. */
  inform(status: number, reason: string, headers: readonly string[]): void;
  /** Completes a head by what the framing asks for. Edits `headers` in place, and adds to `changes`. */
  frame(status: number, headers: string[], changes: Change[]): void;
  /** Throws where the head holds what cannot be sent. */
  head(status: number, reason: string, headers: string[]): void;
  write(chunk: Buffer): void;
  end(trailers: readonly string[]): void;
  /** Ends the response in the middle, after what is there of it, so that the client sees that it is not whole. */
  cut(reset: boolean, code?: number): void;
  /** Answers in the proxy's own name. */
  answer(problem: Problem): void;
  /** Ends the connection, or the stream where a connection carries several, without a further word. */
  drop(): void;
}
