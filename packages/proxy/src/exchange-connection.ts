import type { ConnectionId } from '@plugfest/model';
import type { Exchange } from './exchange.ts';
import type {
  StreamedCall,
  StreamedCallbacks,
  UpstreamCall,
  UpstreamHandler,
  UpstreamRequest,
} from './upstream/upstream.ts';

/** The connection that an exchange came on, with the way to the callee that belongs to it. */
export interface ExchangeConnection {
  readonly id: ConnectionId;
  /** What is spoken on both sides, for people. */
  readonly protocol: string;
  /** True where a connection carries exchanges side by side, so that the end of one is not that of the others. */
  readonly carriesMany: boolean;
  /** Set where the proxy, not the caller, closes it. */
  closedByProxy: boolean;
  /**
   * Calls `go` once it is the turn of this exchange: at once where exchanges run side by side, and after all that came
   * before it where they take turns. Requests must not overtake each other: what one does may depend on the one
   * before it (RFC 9112 section 9.3.2).
   */
  whenTurn(exchange: Exchange, go: () => void): void;
  /** Sends a request that is there as a whole. */
  sendWhole(request: UpstreamRequest, body: Buffer | null, handler: UpstreamHandler): UpstreamCall;
  /** Sends a request whose body is still arriving. */
  sendStreamed(request: UpstreamRequest, callbacks: StreamedCallbacks): StreamedCall;
  finished(exchange: Exchange): void;
}
