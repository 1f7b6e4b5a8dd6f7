import { gunzipSync, inflateSync } from 'node:zlib';
import type { Side } from '@plugfest/model';
import { splitKnownScheme } from './names.ts';
import { type Message, rewrite } from './protobuf.ts';
import type { Edit, Scan, Scanning, Secrets, Until } from './scanner.ts';
import { redactText } from './text.ts';
import { isToken } from './tokens.ts';

/** Longest gRPC message that is held back until it is complete; longer ones are not stored. */
export const heldMessageBytes = 8 * 1024 * 1024;

// Numbers of the fields that hold secrets, by the protocol's definitions: `lf.a2a.v1` is A2A 1.0, `a2a.v1` is 0.3.
const config: Message = { 4: 'url', 5: 'secret', 6: { 2: 'secret' } };
const sendRequest: Message = { 3: { 2: config } };
const oldConfig: Message = { 2: 'url', 3: 'secret', 4: { 2: 'secret' } };
const oldTaskConfig: Message = { 2: oldConfig };
const oldSendRequest: Message = { 2: { 2: oldConfig } };

interface Shapes {
  readonly request?: Message;
  readonly response?: Message;
}

const methods: ReadonlyMap<string, Shapes> = new Map<string, Shapes>([
  ['/lf.a2a.v1.A2AService/SendMessage', { request: sendRequest }],
  ['/lf.a2a.v1.A2AService/SendStreamingMessage', { request: sendRequest }],
  ['/lf.a2a.v1.A2AService/CreateTaskPushNotificationConfig', { request: config, response: config }],
  ['/lf.a2a.v1.A2AService/GetTaskPushNotificationConfig', { response: config }],
  ['/lf.a2a.v1.A2AService/ListTaskPushNotificationConfigs', { response: { 1: config } }],
  ['/a2a.v1.A2AService/SendMessage', { request: oldSendRequest }],
  ['/a2a.v1.A2AService/SendStreamingMessage', { request: oldSendRequest }],
  [
    '/a2a.v1.A2AService/CreateTaskPushNotificationConfig',
    { request: { 3: oldTaskConfig }, response: oldTaskConfig },
  ],
  ['/a2a.v1.A2AService/GetTaskPushNotificationConfig', { response: oldTaskConfig }],
  ['/a2a.v1.A2AService/ListTaskPushNotificationConfig', { response: { 1: oldTaskConfig } }],
  // As 0.2.2 to 0.2.4 called them.
  [
    '/a2a.v1.A2AService/CreateTaskPushNotification',
    { request: { 3: oldTaskConfig }, response: oldTaskConfig },
  ],
  ['/a2a.v1.A2AService/GetTaskPushNotification', { response: oldTaskConfig }],
  ['/a2a.v1.A2AService/ListTaskPushNotification', { response: { 1: oldTaskConfig } }],
]);

interface Call {
  /** The path of the request. */
  readonly method: string;
  readonly side: Side;
  /** `grpc-encoding` of this side. */
  readonly encoding: string | undefined;
}

/**
 * Finds secrets in gRPC messages. Fields that hold one are replaced and the lengths around them set anew, so that the
 * message can still be read. Remembered secrets elsewhere are replaced byte for byte, by a token of their length.
 */
export class GrpcScanner implements Scanning {
  readonly #secrets: Secrets;
  readonly #shape: Message | undefined;
  readonly #encoding: string | undefined;
  blind = false;

  constructor(secrets: Secrets, { method, side, encoding }: Call) {
    this.#secrets = secrets;
    this.#shape = methods.get(method)?.[side];
    this.#encoding = encoding;
  }

  scan(bytes: Buffer, from: number, until: Until): Scan {
    const shape = this.#shape;
    if (shape === undefined) return this.#echoes(bytes, from, until);
    const edits: Edit[] = [];
    let at = from;
    while (bytes.byteLength - at >= 5) {
      const end = at + 5 + bytes.readUInt32BE(at + 1);
      if (end > bytes.byteLength) break;
      const payload = this.#payload(bytes, at, end);
      if (payload === undefined) {
        this.blind = true;
        return { edits, safe: at };
      }
      const changed = rewrite(payload, shape, (text, kind) => this.#field(text, kind));
      if (changed === undefined) edits.push(...this.#echoes(bytes.subarray(0, end), at + 5, 'last').edits);
      else {
        const head = Buffer.alloc(5);
        head.writeUInt32BE(changed.byteLength, 1);
        edits.push({ start: at, end, text: Buffer.concat([head, changed]), trigger: at });
      }
      at = end;
    }
    if (until === 'more' || at === bytes.byteLength) return { edits, safe: at };
    // A message that is cut off, or longer than may be held: nobody can say what is in it.
    this.blind = true;
    return { edits, safe: at };
  }

  /** The message of a frame; undefined where it is compressed in a way that cannot be undone here. */
  #payload(bytes: Buffer, at: number, end: number): Buffer | undefined {
    const payload = bytes.subarray(at + 5, end);
    if (((bytes[at] ?? 0) & 1) === 0) return payload;
    const limit = { maxOutputLength: heldMessageBytes };
    try {
      if (this.#encoding === 'gzip') return gunzipSync(payload, limit);
      if (this.#encoding === 'deflate') return inflateSync(payload, limit);
    } catch {
      // Damaged: a fault of its sender, but one that could hide anything.
    }
    return undefined;
  }

  #field(text: string, kind: 'secret' | 'url'): string {
    if (kind === 'url') return redactText(text, this.#secrets);
    const { kept, secret } = splitKnownScheme(text);
    if (secret === '' || isToken(secret)) return text;
    this.#secrets.remembered.add(secret);
    return kept + this.#secrets.tokens.of(secret);
  }

  #echoes(bytes: Buffer, from: number, until: Until): Scan {
    const { hits, hold } = this.#secrets.remembered.find(bytes, from);
    const edits = hits.map(({ start, end, secret }) => ({
      start,
      end,
      text: this.#secrets.tokens.ofLength(secret, end - start),
      trigger: start,
    }));
    return { edits, safe: until === 'more' ? hold : bytes.byteLength };
  }
}
