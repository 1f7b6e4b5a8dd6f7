import type { Socket } from 'node:net';
import type { ClientUpgrade, InboundBody, InboundRequest, RequestFraming } from '../inbound-request.ts';
import type { RequestHead } from './request-reader.ts';

/** A request that came in over HTTP/1.1. */
export class Http1Request implements InboundRequest {
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  readonly rawHeaders: string[];
  readonly framing: RequestFraming;
  readonly body: InboundBody;
  readonly upgrade: ClientUpgrade | undefined;
  private readonly wire: Socket;

  /** `upgrade` is there where the client asks for another protocol. */
  constructor(
    { line, headers, framing }: RequestHead,
    wire: Socket,
    body: InboundBody,
    upgrade?: ClientUpgrade,
  ) {
    this.method = line.method;
    this.target = line.target;
    this.httpVersion = line.httpVersion;
    this.rawHeaders = headers;
    this.framing = framing;
    this.body = body;
    this.upgrade = upgrade;
    this.wire = wire;
  }

  get remoteAddress(): string | undefined {
    return this.wire.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.wire.remotePort;
  }

  get localPort(): number | undefined {
    return this.wire.localPort;
  }
}
