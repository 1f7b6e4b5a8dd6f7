import { gunzipSync, inflateSync } from 'node:zlib';
import type { Side } from '@plugfest/model';
import { splitKnownScheme } from './names.ts';
import { type Message, rewrite } from './protobuf.ts';
import { rewriteTexts, type TextReplacement } from './protobuf-texts.ts';
import type { Edit, Scan, Scanning, Secrets, Until } from './scanner.ts';
import { redactText } from './text.ts';
import { isToken } from './tokens.ts';

/** Longest gRPC message that is held back until it is complete; longer ones are not stored. */
const heldMessageBytes = 8 * 1024 * 1024;
/** The same for calls that are not A2A's. What is longer is looked through as it is. */
const heldTextBytes = 256 * 1024;
/** Bytes that the compressed messages of one body may make together: a peer must not keep the recorder busy. */
const inflatedBytes = 64 * 1024 * 1024;

// Numbers of the fields that hold secrets, by the protocol's definitions: `lf.a2a.v1` is A2A 1.0, `a2a.v1` is 0.3.
const config: Message = { 4: 'url', 5: 'secret', 6: { 2: 'secret' } };
const sendRequest: Message = { 3: { 2: config } };
const oldConfig: Message = { 2: 'url', 3: 'secret', 4: { 2: 'secret' } };
const oldTaskConfig: Message = { 2: oldConfig };
const oldSendRequest: Message = { 2: { 2: oldConfig } };

const service = /^\/(?:lf\.)?a2a\.v1\.A2AService\//;

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

/** What texts with secrets have somewhere in their bytes; a cheap look before a message is taken apart. */
const suspicious =
  /(?:token|passw(?:or)?d|passphrase|pwd|secret|credentials|authorization|assertion|key|jwt)["'\\]{0,4} {0,2}(?:[=:]|[^ -~\s\u0080-\u00ff])|bearer [\w.~+/-]{8}|basic [\w+/]{4}|:\/\/[^\s@/]{1,200}@|[?&#][\w.%-]{2,40}=/i;

const inflaters: ReadonlyMap<string | undefined, typeof gunzipSync> = new Map([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
]);

/** Bytes before a piece that may belong to what stands in it. */
const overlap = 64;

/**
 * Finds secrets in gRPC messages. Fields that hold one, and secrets in texts of any field, are replaced and the lengths
 * around them set anew, so that the message can still be read. Remembered secrets elsewhere are replaced byte for byte,
 * by a token of their length.
 */
export class GrpcScanner implements Scanning {
  readonly #secrets: Secrets;
  readonly #shape: Message | undefined;
  readonly #encoding: string | undefined;
  /** How much has to be held back until a message is complete. */
  readonly heldBytes: number;
  readonly #texts: TextReplacement;
  /** A message was too long to be taken apart: from there on no borders of messages are known. */
  #unframed = false;
  #inflated = 0;
  blind = false;

  constructor(secrets: Secrets, { method, side, encoding }: Call) {
    this.#secrets = secrets;
    this.#shape = methods.get(method)?.[side];
    this.#encoding = encoding;
    // Its messages carry files, and bytes of a file may look like anything: only a whole message tells.
    this.heldBytes = service.test(method) ? heldMessageBytes : heldTextBytes;
    this.#texts = {
      text: (text) => redactText(text, secrets),
      isSecret: (key) => secrets.names.member(key) !== undefined,
      secret: (text) => this.#field(text, 'secret'),
    };
  }

  /** No border of a message is known any more. */
  loseTrack(): void {
    if (this.#shape === undefined) this.#unframed = true;
    else this.blind = true;
  }

  scan(bytes: Buffer, from: number, until: Until): Scan {
    if (this.#unframed) return this.#unread(bytes, from, until);
    const edits: Edit[] = [];
    let at = from;
    while (bytes.byteLength - at >= 5) {
      const end = at + 5 + bytes.readUInt32BE(at + 1);
      if (end > bytes.byteLength) break;
      const edit = this.#frame(bytes, at, end, edits);
      if (!edit) {
        this.blind = true;
        return { edits, safe: at };
      }
      at = end;
    }
    if (until === 'more' || at === bytes.byteLength) return { edits, safe: at };
    // A message that is cut off, or longer than may be held: nobody can say what is in it.
    if (this.#shape !== undefined) {
      this.blind = true;
      return { edits, safe: at };
    }
    this.#unframed = true;
    const rest = this.#unread(bytes, at, until);
    return { edits: [...edits, ...rest.edits], safe: rest.safe };
  }

  /** Adds the edits for a whole frame; false where it cannot be searched. */
  #frame(bytes: Buffer, at: number, end: number, edits: Edit[]): boolean {
    const flags = bytes[at] ?? 0;
    const raw = bytes.subarray(at + 5, end);
    const payload = this.#payload(raw, flags);
    if (payload === undefined) return false;
    const changed = this.#redacted(payload, flags);
    if (changed !== undefined) {
      const head = Buffer.from([flags & 0x80, 0, 0, 0, 0]);
      head.writeUInt32BE(changed.byteLength, 1);
      edits.push({ start: at, end, text: Buffer.concat([head, changed]), trigger: at });
    } else if (payload === raw) edits.push(...this.#echoes(bytes.subarray(0, end), at + 5, 'last').edits);
    return true;
  }

  /** The payload where lengths change; undefined where they do not. */
  #redacted(payload: Buffer, flags: number): Buffer | undefined {
    // The trailers of gRPC-Web are text.
    if ((flags & 0x80) !== 0) {
      const text = payload.toString('latin1');
      const redacted = redactText(text, this.#secrets);
      return redacted === text ? undefined : Buffer.from(redacted, 'latin1');
    }
    const shaped = this.#shape && rewrite(payload, this.#shape, (text, kind) => this.#field(text, kind));
    const searched = shaped ?? payload;
    if (!suspicious.test(searched.toString('latin1'))) return shaped;
    return rewriteTexts(searched, this.#texts) ?? shaped;
  }

  /** The message of a frame; undefined where it is compressed in a way that cannot be undone here. */
  #payload(raw: Buffer, flags: number): Buffer | undefined {
    if ((flags & 1) === 0) return raw;
    // Marked as compressed and not named how: a fault, and hardly compressed at all.
    if (this.#shape === undefined && (this.#encoding ?? 'identity') === 'identity') return raw;
    const limit = { maxOutputLength: heldMessageBytes };
    if (this.#inflated > inflatedBytes) return undefined;
    try {
      const inflate = inflaters.get(this.#encoding);
      const payload = inflate?.(raw, limit);
      this.#inflated += payload?.byteLength ?? 0;
      return payload;
    } catch {
      // Damaged: a fault of its sender, but one that could hide anything.
    }
    return undefined;
  }

  /** Bytes whose messages are not known: kept as long as nothing in them looks like a secret with a name. */
  #unread(bytes: Buffer, from: number, until: Until): Scan {
    if (suspicious.test(bytes.toString('latin1', Math.max(0, from - overlap)))) {
      this.blind = true;
      return { edits: [], safe: from };
    }
    return this.#echoes(bytes, from, until);
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
