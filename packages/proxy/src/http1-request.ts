import { type IncomingMessage, METHODS } from 'node:http';
import type { ClientUpgrade, InboundBody, InboundRequest, RequestFraming } from './inbound-request.ts';
import { framingDoubt } from './response-framing.ts';

/** `uri-host [ ":" port ]`, or nothing (RFC 9110 section 7.2). */
const hostValue = /^(?:\[[0-9a-f:.%a-z]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

const methods: ReadonlySet<string> = new Set(METHODS.filter((method) => method !== 'SOURCE'));

/** What Node's parser accepts and RFC 9112 does not, or not from everybody. */
function doubtOf(message: IncomingMessage, host: string, streamed: boolean): string | undefined {
  const { httpVersion, method = '' } = message;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return `HTTP/${httpVersion} is not spoken in this form (RFC 9112 section 2.3).`;
  // The parser takes some of RTSP for HTTP.
  if (!methods.has(method)) return `${method} is no method of HTTP.`;
  if (streamed && httpVersion === '1.0')
    return 'A request of HTTP/1.0 has no Transfer-Encoding (RFC 9112 section 6.1).';
  // Where a request names an Upgrade, Node.js lets codings pass that it refuses elsewhere.
  const coding = streamed ? framingDoubt(httpVersion, message.rawHeaders) : undefined;
  if (coding !== undefined) return `The body has ${coding}.`;
  if (!hostValue.test(host)) return 'The Host field holds no host (RFC 9112 section 3.2).';
  return undefined;
}

/** Framing of a request that Node's parser has accepted. */
function framingOf(message: IncomingMessage): RequestFraming {
  const headers = message.rawHeaders;
  let host = '';
  let length = 0;
  let streamed = false;
  let expects = false;
  let hosts = 0;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === 'host') {
          hosts++;
          host = headers[i + 1] ?? '';
        }
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
  return { length, streamed, expects, hosts, doubt: doubtOf(message, host, streamed) };
}

/** A request that Node's HTTP/1.1 parser has accepted. */
export class Http1Request implements InboundRequest {
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  readonly rawHeaders: string[];
  readonly framing: RequestFraming;
  readonly body: InboundBody;
  readonly upgrade: ClientUpgrade | undefined;
  private readonly message: IncomingMessage;

  constructor(message: IncomingMessage, upgrade?: ClientUpgrade) {
    this.upgrade = upgrade;
    this.method = message.method ?? '';
    this.target = message.url ?? '';
    this.httpVersion = message.httpVersion;
    this.rawHeaders = message.rawHeaders;
    this.framing = framingOf(message);
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
