import type {
  CaptureSink,
  Change,
  ConnectionId,
  EndKind,
  ExchangeId,
  RawHeaders,
  Side,
} from '@plugfest/model';
import type { InboundRequest } from './inbound-request.ts';
import type { TapContext } from './tap-context.ts';

/** A head as it was sent on, where that is not as it was received. */
interface SentOn {
  readonly headers: RawHeaders;
  readonly changes?: readonly Change[] | undefined;
}

interface ReceivedHead {
  readonly status: number;
  readonly reason: string;
  readonly httpVersion: string;
  readonly headers: RawHeaders;
}

const sentOn = (head: SentOn | undefined) =>
  head?.changes === undefined ? {} : { forwardedHeaders: head.headers, changes: head.changes };

/** Puts on record what is observed of one exchange, at the moment when it is. */
export class ExchangeRecord {
  private readonly exchange: ExchangeId;
  private readonly sink: CaptureSink;

  constructor(exchange: ExchangeId, sink: CaptureSink) {
    this.exchange = exchange;
    this.sink = sink;
  }

  requestHead(tap: TapContext, connection: ConnectionId, request: InboundRequest, sent?: SentOn): void {
    const { cell, purpose } = tap.assignment;
    this.sink.record({
      kind: 'request-head',
      exchange: this.exchange,
      edge: tap.edge,
      ...(cell === undefined ? {} : { cell }),
      ...(purpose === undefined ? {} : { purpose }),
      connection,
      method: request.method,
      target: request.target,
      httpVersion: request.httpVersion,
      headers: request.rawHeaders,
      ...sentOn(sent),
    });
  }

  informational(status: number, headers: RawHeaders): void {
    this.sink.record({ kind: 'informational', exchange: this.exchange, status, headers });
  }

  responseHead({ status, reason, httpVersion, headers }: ReceivedHead, sent?: SentOn): void {
    this.sink.record({
      kind: 'response-head',
      exchange: this.exchange,
      status,
      ...(reason === '' ? {} : { reason }),
      httpVersion,
      headers,
      ...sentOn(sent),
    });
  }

  chunk(side: Side, bytes: Buffer): void {
    this.sink.record({ kind: 'chunk', exchange: this.exchange, side, bytes });
  }

  bodyEnd(side: Side, trailers: RawHeaders): void {
    const { exchange, sink } = this;
    if (trailers.length > 0) sink.record({ kind: 'trailers', exchange, side, headers: trailers });
    sink.record({ kind: 'body-end', exchange, side });
  }

  change(change: Change): void {
    this.sink.record({ kind: 'change', exchange: this.exchange, change });
  }

  note(topic: string, text: string): void {
    this.sink.record({ kind: 'note', topic, text, exchange: this.exchange });
  }

  end(kind: Exclude<EndKind, 'open'>, detail?: string): void {
    this.sink.record({
      kind: 'end',
      exchange: this.exchange,
      end: kind,
      ...(detail === undefined ? {} : { detail }),
    });
  }
}
