import type { IncomingMessage } from 'node:http';
import type { InboundBody, InboundRequest, RequestFraming } from './inbound-request.ts';

/** Framing of a request that Node's parser has accepted. */
function framingOf(headers: readonly string[]): RequestFraming {
  let length = 0;
  let streamed = false;
  let expects = false;
  let hosts = 0;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === 'host') hosts++;
        break;
      case 6:
        if (name.toLowerCase() === 'expect') expects = true;
        break;
      case 14:
        if (name.toLowerCase() === 'content-length') length = Number(headers[i + 1]);
        break;
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') streamed = true;
        break;
    }
  }
  return { length, streamed, expects, hosts };
}

/** A request that Node's HTTP/1.1 parser has accepted. */
export class Http1Request implements InboundRequest {
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  readonly rawHeaders: string[];
  readonly framing: RequestFraming;
  readonly body: InboundBody;
  private readonly message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.method = message.method ?? '';
    this.target = message.url ?? '';
    this.httpVersion = message.httpVersion;
    this.rawHeaders = message.rawHeaders;
    this.framing = framingOf(message.rawHeaders);
    this.body = message;
    this.message = message;
  }

  get remoteAddress(): string | undefined {
    return this.message.socket.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.message.socket.remotePort;
  }

  get localPort(): number | undefined {
    return this.message.socket.localPort;
  }
}
