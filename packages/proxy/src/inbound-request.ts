import type { Socket } from 'node:net';

/** How a request's body is framed. */
export interface RequestFraming {
  /** Bytes of the body; 0 where there is none, or where nobody said. */
  readonly length: number;
  /** True where the body has an end of its own instead of a length: it is in chunks, or in frames. */
  readonly streamed: boolean;
  /** True where the client waits for a 100 before it sends the body. */
  readonly expects: boolean;
  /** Number of fields that name the host: `Host`, or `:authority`. */
  readonly hosts: number;
  /** Why others might read this request differently, so that it goes nowhere; undefined for nearly all. */
  readonly doubt?: string | undefined;
}

/** A request body on its way in. `end` is told of a whole body only. */
export interface InboundBody {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  /** True once all of it has arrived, read or not. */
  readonly complete: boolean;
  /** Known once the body has ended. */
  readonly rawTrailers: string[];
}

/** A client that would speak something else than HTTP after its request. */
export interface ClientUpgrade {
  /** The callee has agreed, with this head. Hands over the connection, with what came on it already. */
  switchTo(head: string): { readonly socket: Socket; readonly early: readonly Buffer[] };
}

/** A request as it came from the client, whatever carried it. */
export interface InboundRequest {
  readonly method: string;
  /** As received: origin form, or absolute form. */
  readonly target: string;
  readonly httpVersion: string;
  /** In wire order and case; of HTTP/2 also the pseudo-header fields. */
  readonly rawHeaders: string[];
  readonly framing: RequestFraming;
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly localPort: number | undefined;
  readonly body: InboundBody;
  /** Present where the client asks for another protocol. */
  readonly upgrade?: ClientUpgrade | undefined;
}
