import { grpcUrlFields } from '@plugfest/a2a';
import {
  type CaptureSink,
  type Change,
  type ExchangeId,
  header,
  type Side,
  webhookUrlReason,
} from '@plugfest/model';
import { decodeContentNow } from '../cards/content-coding.ts';
import { applyEdits } from '../cards/json-text.ts';
import { atOrigin, canonicalOrigin, isOurs, type UrlMapOptions } from '../cards/url-map.ts';
import { type Answer, configAsResult } from '../rewriting/answer.ts';
import { fieldsForBody } from '../rewriting/body-fields.ts';
import { editMessages } from '../rewriting/grpc-messages.ts';
import { editUrls } from '../rewriting/protobuf-edit.ts';
import type { RewrittenBody } from '../rewriting/rewritten-body.ts';
import { answersWithConfig, locateInAnswer, locateInRequest } from './config-places.ts';
import type { PushCall } from './push-calls.ts';
import { sealedPath, type UrlSeal } from './sealed-url.ts';

/** A tap on which the agent reaches a webhook receiver. */
export interface WebhookTap {
  readonly receiver: string;
  /** Of the tap. */
  readonly origin: string;
}

export interface WebhookRewriterOptions {
  readonly sink: CaptureSink;
  /** The agent that is called, and will deliver. */
  readonly agent: string;
  readonly seal: UrlSeal;
  /** The tap from the agent to whoever listens at this origin; undefined where no receiver is declared there. */
  readonly tapTo: (canonicalOrigin: string) => WebhookTap | undefined;
  readonly isListening: UrlMapOptions['isListening'];
  readonly advertise?: string | undefined;
  readonly maxBytes: number;
}

const reason = webhookUrlReason;
const maxNotedOrigin = 200;
/** Most notes about the webhooks of one request; the rest is one note. */
const maxNotes = 16;
/** What each body with a push config holds, in any spelling. */
const marks = ['ushNotification', 'ush_notification'];

const pathOf = (url: string): string => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? '';

/** Origin of a URL that somebody else wrote, for people; never its path, which may be a secret. */
const originFor = (url: string): string => (URL.parse(url)?.origin ?? 'no URL').slice(0, maxNotedOrigin);

/**
 * Leads the webhooks that a client registers with an agent through the tap from that agent to the receiver, and shows
 * the client its own URLs again.
 */
export class WebhookRewriter {
  private readonly options: WebhookRewriterOptions;

  constructor(options: WebhookRewriterOptions) {
    this.options = options;
  }

  /** What the answer to a JSON-RPC call may hold. Costs a byte search; only what holds the word is parsed. */
  answerTo(body: Buffer): Answer | undefined {
    if (!marks.some((mark) => body.includes(mark))) return undefined;
    const located = locateInRequest(body.toString('utf8'), false);
    return located?.methods.some(answersWithConfig) === true ? configAsResult : undefined;
  }

  /** The request with URLs of the tap; undefined where nothing has to change, and then nothing may. */
  rewriteRequest(
    exchange: ExchangeId,
    { body: call }: PushCall,
    headers: readonly string[],
    body: Buffer,
  ): RewrittenBody | undefined {
    if (call === undefined || body.length === 0) return undefined;
    const coding = header(headers, 'content-encoding');
    const decoded = coding === undefined ? body : decodeContentNow(body, coding, this.options.maxBytes);
    if (decoded === undefined) {
      const text = `A request in the content coding ${coding?.slice(0, 50)} was passed on unread`;
      this.note(exchange, 'webhook-not-rewritten', text);
      return undefined;
    }
    const changes: Change[] = [];
    const outside: string[] = [];
    const replace = (pointer: string, before: string): string | undefined => {
      const after = this.inward(before, outside);
      if (after !== undefined) changes.push(urlChange('request', pointer, before, after));
      return after;
    };
    const edited =
      call.kind === 'grpc'
        ? this.editGrpc(
            exchange,
            body,
            headers,
            (message) => editUrls(message, call.fields, ({ pointer, url }) => replace(pointer, url))?.bytes,
          )
        : this.editRequestText(decoded, call.isConfig, replace);
    this.noteOutside(exchange, outside);
    if (edited === undefined || changes.length === 0) return undefined;
    if (header(headers, 'signature-input') !== undefined) {
      const text = 'The request has an HTTP signature (RFC 9421), which may not hold for its new body';
      this.note(exchange, 'http-signature', text);
    }
    return withFields('request', headers, edited, changes, { decoded: coding !== undefined });
  }

  /** The answer with the client's own URLs. */
  rewriteAnswer(
    exchange: ExchangeId,
    answer: Answer,
    headers: readonly string[],
    body: Buffer,
    decoded: boolean,
    entityTag: (tag: string) => string | undefined,
  ): RewrittenBody | undefined {
    const changes: Change[] = [];
    const replace = (pointer: string, before: string): string | undefined => {
      const after = this.outward(before);
      if (after !== undefined) changes.push(urlChange('response', pointer, before, after));
      return after;
    };
    let edited: Buffer | undefined;
    if (answer.within === 'grpc') {
      const fields = grpcUrlFields(answer.rpc ?? '', 'response')?.fields;
      if (fields === undefined) return undefined;
      edited = this.editGrpc(
        exchange,
        body,
        headers,
        (message) => editUrls(message, fields, ({ pointer, url }) => replace(pointer, url))?.bytes,
      );
    } else if (body.includes(sealedPath) || body.includes('plugfest\\/webhook')) {
      const { within } = answer;
      edited = editText(body, (text) => locateInAnswer(text, within), replace);
    }
    if (edited === undefined || changes.length === 0) return undefined;
    return withFields('response', headers, edited, changes, {
      decoded,
      entityTag,
      grpc: answer.within === 'grpc',
    });
  }

  private editRequestText(
    body: Buffer,
    isConfig: boolean,
    replace: (pointer: string, url: string) => string | undefined,
  ): Buffer | undefined {
    if (!isConfig && !marks.some((mark) => body.includes(mark))) return undefined;
    return editText(body, (text) => locateInRequest(text, isConfig)?.places, replace);
  }

  private editGrpc(
    exchange: ExchangeId,
    body: Buffer,
    headers: readonly string[],
    edit: (message: Buffer) => Buffer | undefined,
  ): Buffer | undefined {
    const edited = editMessages(body, header(headers, 'grpc-encoding'), this.options.maxBytes, edit);
    if (edited.kind === 'unreadable') {
      const text = `A message of gRPC was passed on unread: ${edited.why}`;
      this.note(exchange, 'webhook-not-rewritten', text);
    }
    return edited.kind === 'edited' ? edited.body : undefined;
  }

  /** URL for the agent in place of the client's. Adds to `outside` why there is none. */
  private inward(received: string, outside: string[]): string | undefined {
    const { agent, seal, tapTo } = this.options;
    // One that was sealed before, for a tap that may be gone.
    const url = this.outward(received) ?? received;
    const origin = canonicalOrigin(url);
    if (origin === undefined) return undefined;
    // A lab that gives out addresses of taps itself.
    if (isOurs(origin, this.options)) return undefined;
    const tap = tapTo(origin);
    if (tap === undefined) {
      const text = `A webhook at ${originFor(url)} is registered with ${agent}; no receiver is declared there, so deliveries pass by the proxy`;
      outside.push(text);
      return undefined;
    }
    const path = seal.seal(agent, url);
    if (path === undefined) {
      const text = `A webhook at ${originFor(url)} has a URL too long to be rewritten; deliveries pass by the proxy`;
      outside.push(text);
      return undefined;
    }
    // User information stays where the agent's HTTP client looks for it.
    return atOrigin(url.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#]*).*$/is, `$1${path}`), tap.origin);
  }

  /** URL for the client in place of the one that the agent was given. */
  private outward(url: string): string | undefined {
    const path = pathOf(url);
    return path.startsWith(sealedPath) ? this.options.seal.open(this.options.agent, path) : undefined;
  }

  /** A client may register any number of them. */
  private noteOutside(exchange: ExchangeId, outside: readonly string[]): void {
    for (const text of outside.slice(0, maxNotes)) this.note(exchange, 'uninterposed-webhook', text);
    const more = outside.length - maxNotes;
    if (more <= 0) return;
    const text = `${more} more webhooks are registered with ${this.options.agent} past the proxy`;
    this.note(exchange, 'uninterposed-webhook', text);
  }

  private note(exchange: ExchangeId, topic: string, text: string): void {
    this.options.sink.record({ kind: 'note', topic, text, exchange });
  }
}

const urlChange = (side: Side, where: string, before: string, after: string): Change => ({
  side,
  place: 'body',
  where,
  before,
  after,
  reason,
});

function editText(
  body: Buffer,
  locate: (text: string) =>
    | readonly {
        readonly pointer: string;
        readonly url: string;
        readonly start: number;
        readonly end: number;
      }[]
    | undefined,
  replace: (pointer: string, url: string) => string | undefined,
): Buffer | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    // No JSON then (RFC 8259 section 8.1); whoever it is for will say so.
    return undefined;
  }
  const edits = (locate(text) ?? []).flatMap(({ pointer, url, start, end }) => {
    const after = replace(pointer, url);
    return after === undefined ? [] : [{ start, end, text: JSON.stringify(after) }];
  });
  return edits.length === 0 ? undefined : Buffer.from(applyEdits(text, edits), 'utf8');
}

interface FieldOptions {
  readonly decoded: boolean;
  readonly grpc?: boolean;
  readonly entityTag?: (tag: string) => string | undefined;
}

function withFields(
  side: Side,
  received: readonly string[],
  body: Buffer,
  changes: readonly Change[],
  { decoded, grpc = false, entityTag }: FieldOptions,
): RewrittenBody {
  const keepsTrailers = side === 'request' || grpc;
  const mapped = fieldsForBody(received, body, {
    side,
    reason,
    decoded,
    framing: keepsTrailers ? 'as-received' : 'length',
    ...(entityTag === undefined ? {} : { entityTag }),
  });
  return { headers: mapped.headers, body, changes: [...changes, ...mapped.changes], keepsTrailers };
}
