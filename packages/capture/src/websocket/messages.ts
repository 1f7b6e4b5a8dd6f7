import type { CapturedBody, CapturedExchange, Side } from '@plugfest/model';
import {
  binary,
  close,
  continuation,
  type Frame,
  frameAt,
  isControl,
  payloadOf,
  ping,
  pong,
  text,
} from './frame.ts';
import { Inflation } from './inflation.ts';
import { type Negotiated, negotiated } from './negotiated.ts';

/** Messages beyond this are not decompressed. */
const maxMessageBytes = 16 * 1024 * 1024;

const kinds: Readonly<Record<number, WebSocketMessage['kind']>> = {
  [text]: 'text',
  [binary]: 'binary',
  [close]: 'close',
  [ping]: 'ping',
  [pong]: 'pong',
};

/** A message of a WebSocket, or a control frame, as it was read from the chunks of an exchange. */
export interface WebSocketMessage {
  /** `request`: from the caller to the callee. */
  readonly side: Side;
  /** Of the chunk with its last byte. */
  readonly seq: number;
  readonly atNs: number;
  readonly kind: 'text' | 'binary' | 'close' | 'ping' | 'pong';
  /** Without mask and compression. */
  readonly bytes: Buffer;
  readonly frames: number;
  readonly compressed: boolean;
  /** Why it is not what it should be; absent where nothing is wrong. */
  readonly problem?: string;
}

/** What the messages of both sides say, in the order in which they were whole; undefined for what is no WebSocket. */
export function webSocketMessages(exchange: CapturedExchange): readonly WebSocketMessage[] | undefined {
  const { request, response } = exchange;
  const agreed = response && negotiated(response.status, response.headers);
  if (response === undefined || agreed === undefined) return undefined;
  return [...read('request', request.body, agreed), ...read('response', response.body, agreed)].sort(
    (a, b) => a.seq - b.seq,
  );
}

/** What is left of the frames of one side: a body that has gaps cannot be read beyond the first. */
function* read(side: Side, body: CapturedBody, agreed: Negotiated): Generator<WebSocketMessage> {
  const bytes = Buffer.concat(body.chunks.map((chunk) => chunk.bytes));
  const inflation = new Inflation(!agreed.withoutContext.has(side), maxMessageBytes);
  /** The chunk that a position is in. */
  let chunkAt = 0;
  let chunkEnd = body.chunks[0]?.bytes.byteLength ?? 0;
  const stamp = (end: number): { readonly seq: number; readonly atNs: number } => {
    while (chunkEnd < end && chunkAt + 1 < body.chunks.length) {
      chunkAt += 1;
      chunkEnd += body.chunks[chunkAt]?.bytes.byteLength ?? 0;
    }
    const { seq = 0, atNs = 0 } = body.chunks[chunkAt] ?? {};
    return { seq, atNs };
  };
  let begun: { readonly first: Frame; readonly payloads: Buffer[] } | undefined;
  for (let at = 0; at < bytes.byteLength; ) {
    const frame = frameAt(bytes, at, agreed.deflate);
    if (frame === 'broken' || frame === 'more' || frame.end > bytes.byteLength) {
      const left = bytes.subarray(at);
      const problem = frame === 'broken' ? 'these bytes are no frame' : 'the frame was cut off';
      const about = { side, kind: 'binary', frames: 1, compressed: false } as const;
      yield { ...about, ...stamp(bytes.byteLength), bytes: left, problem };
      return;
    }
    at = frame.end;
    const { opcode, fin } = frame;
    const wrong = masking(side, frame);
    const payload = payloadOf(bytes, frame);
    if (isControl(opcode)) {
      const kind = kinds[opcode] ?? 'binary';
      yield { side, ...stamp(at), kind, bytes: payload, frames: 1, compressed: false, ...wrong };
      continue;
    }
    if (opcode !== continuation || begun === undefined) begun = { first: frame, payloads: [] };
    begun.payloads.push(payload);
    if (!fin) continue;
    const { first, payloads } = begun;
    begun = undefined;
    const carried = Buffer.concat(payloads);
    const message = first.compressed ? inflation.inflate(carried) : carried;
    yield {
      side,
      ...stamp(at),
      kind: kinds[first.opcode] ?? 'binary',
      bytes: message ?? carried,
      frames: payloads.length,
      compressed: first.compressed,
      ...wrong,
      ...(message === undefined ? { problem: 'it cannot be decompressed' } : {}),
      ...(first.opcode === continuation ? { problem: 'it continues nothing' } : {}),
    };
  }
}

/** A client masks every frame, and a server none (RFC 6455 section 5.1). */
function masking(side: Side, { key }: Frame): { problem?: string } {
  if ((key !== undefined) === (side === 'request')) return {};
  return { problem: side === 'request' ? 'a client has to mask it' : 'a server must not mask it' };
}

/** Code and reason of a close frame (RFC 6455 section 5.5.1); 1005 where it has none. */
export function closeOf(bytes: Buffer): { readonly code: number; readonly reason: string } {
  return bytes.byteLength < 2
    ? { code: 1005, reason: '' }
    : { code: bytes.readUInt16BE(0), reason: bytes.toString('utf8', 2) };
}

/** What an exchange was as a WebSocket, in one line; undefined for what is none. */
export function webSocketSummary(exchange: CapturedExchange): string | undefined {
  const messages = webSocketMessages(exchange);
  if (messages === undefined) return undefined;
  const of = (side: Side): string => {
    const said = messages.filter((message) => message.side === side);
    const data = said.filter(({ kind }) => kind === 'text' || kind === 'binary');
    const bytes = data.reduce((sum, message) => sum + message.bytes.byteLength, 0);
    const last = said.find(({ kind }) => kind === 'close');
    const end = last === undefined ? 'no close frame' : `close ${closeOf(last.bytes).code}`;
    const controls = said.filter(({ kind }) => kind === 'ping' || kind === 'pong').length;
    return `${data.length} messages of ${bytes} bytes, ${controls} pings and pongs, ${end}`;
  };
  return `WebSocket: caller ${of('request')}; callee ${of('response')}`;
}
