import { type CaptureSink, type Change, type ExchangeId, header, mediaType } from '@plugfest/model';
import { cardCallOf, cardRequestOf } from '../cards/card-request.ts';
import { type CardSigner, jwksPath } from '../cards/card-signer.ts';
import { decodeContent } from '../cards/content-coding.ts';
import type { CardRewriter } from '../cards/rewriter.ts';
import { grpcAnswerOf, type PushCall, pushCallOf } from '../webhooks/push-calls.ts';
import type { WebhookRewriter } from '../webhooks/webhook-rewriter.ts';
import type { Answer } from './answer.ts';
import type { HeldBytes } from './held-bytes.ts';
import { isJsonType } from './json-type.ts';
import type { RewrittenBody } from './rewritten-body.ts';

export interface RewriterOptions {
  readonly cards: CardRewriter;
  /** Where the callee serves its card beside the paths of the protocol. */
  readonly cardPaths: () => ReadonlySet<string> | undefined;
  /** Absent where no webhook can be led through a tap. */
  readonly webhooks: () => WebhookRewriter | undefined;
  /** Largest answer that is rewritten, before and after content decoding. */
  readonly maxAnswerBytes: number;
  /** Largest request that is held back. */
  readonly maxRequestBytes: number;
  readonly heldBytes: HeldBytes;
  readonly signer: CardSigner | undefined;
  readonly sink: CaptureSink;
}

/** What is known of a request's part in rewriting from its head. */
export interface RequestPlan {
  readonly answer: Answer | undefined;
  /** Set where the body has to be seen as a whole before it goes on. */
  readonly push: PushCall | undefined;
}

/** All that a tap in `rewrite` mode alters in bodies, and in the head fields that go with them. */
export class Rewriter {
  readonly maxAnswerBytes: number;
  readonly maxRequestBytes: number;
  readonly heldBytes: HeldBytes;
  private readonly cards: CardRewriter;
  private readonly cardPaths: () => ReadonlySet<string> | undefined;
  private readonly signer: CardSigner | undefined;
  private readonly sink: CaptureSink;
  private readonly webhooks: () => WebhookRewriter | undefined;

  constructor({
    cards,
    webhooks,
    maxAnswerBytes,
    maxRequestBytes,
    heldBytes,
    signer,
    cardPaths,
    sink,
  }: RewriterOptions) {
    this.signer = signer;
    this.sink = sink;
    this.cards = cards;
    this.cardPaths = cardPaths;
    this.webhooks = webhooks;
    this.maxAnswerBytes = maxAnswerBytes;
    this.maxRequestBytes = maxRequestBytes;
    this.heldBytes = heldBytes;
  }

  /** The public key of our own signatures, where a request asks for it. */
  jwks(method: string, target: string): string | undefined {
    if (this.signer === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined;
    return target === jwksPath ? this.signer.jwks : undefined;
  }

  /** Undefined for a request that has no part in it, as far as its head tells. */
  plan(method: string, target: string, headers: readonly string[]): RequestPlan | undefined {
    const card = method === 'POST' ? undefined : cardRequestOf(method, target, this.cardPaths());
    if (card !== undefined) return { answer: card, push: undefined };
    if (this.webhooks() === undefined) {
      // Only HTTP/2 carries gRPC, whose cards come by POST.
      const grpc = headers[0]?.startsWith(':') ? grpcAnswerOf(target, headers) : undefined;
      return grpc?.what === 'card' ? { answer: grpc, push: undefined } : undefined;
    }
    const push = pushCallOf(method, target, headers);
    if (push === undefined) return undefined;
    return { answer: push.answer, push: push.body === undefined ? undefined : push };
  }

  /** What the answer to a JSON-RPC call may hold. */
  answerTo(body: Buffer): Answer | undefined {
    return cardCallOf(body) ?? this.webhooks()?.answerTo(body);
  }

  /** Makes the callee understand a conditional request for what we rewrote. Edits `headers` in place. */
  mapConditions(headers: string[]): Change[] {
    return this.cards.heads.mapConditions(headers);
  }

  rewriteRequest(
    exchange: ExchangeId,
    plan: RequestPlan,
    headers: readonly string[],
    body: Buffer,
  ): RewrittenBody | undefined {
    const { push } = plan;
    if (push === undefined) return undefined;
    try {
      return this.webhooks()?.rewriteRequest(exchange, push, headers, body);
    } catch (error) {
      return this.failed(exchange, error);
    }
  }

  /** Whether the response has to be held back, because of what may be in it. */
  mayHold(answer: Answer, method: string, status: number, headers: readonly string[]): boolean {
    if (method === 'HEAD' || status < 200 || status > 299 || status === 204 || status === 206) return false;
    const type = mediaType(header(headers, 'content-type'));
    if (answer.within === 'grpc') return type.startsWith('application/grpc');
    if (answer.what === 'card' && status !== 200 && status !== 203) return false;
    return isJsonType(type);
  }

  /** As `CardHeads.mapHead`. */
  mapHead(
    exchange: ExchangeId,
    answer: Answer | undefined,
    method: string,
    status: number,
    headers: string[],
  ): Change[] {
    return this.cards.heads.mapHead(exchange, answer, method, status, headers);
  }

  /**
   * The answer with our URLs, or with the client's own; undefined where nothing has to change, and then nothing may.
   * Gives up without one as soon as `wanted` says that nobody waits for it.
   */
  async rewriteAnswer(
    exchange: ExchangeId,
    answer: Answer,
    headers: readonly string[],
    chunks: readonly Buffer[],
    wanted: () => boolean,
  ): Promise<RewrittenBody | undefined> {
    try {
      return await this.rewritten(exchange, answer, headers, chunks, wanted);
    } catch (error) {
      return this.failed(exchange, error);
    }
  }

  /** A fault of ours, which must not become one of the traffic: it goes on as it was, and the capture says why. */
  private failed(exchange: ExchangeId, error: unknown): undefined {
    const text = `Plugfest failed to rewrite a body, which was passed on untouched: ${error instanceof Error ? error.message : String(error)}`;
    this.sink.record({ kind: 'note', topic: 'rewrite-failed', text, exchange });
  }

  private async rewritten(
    exchange: ExchangeId,
    answer: Answer,
    headers: readonly string[],
    chunks: readonly Buffer[],
    wanted: () => boolean,
  ): Promise<RewrittenBody | undefined> {
    if (answer.what === 'card') return this.cards.rewrite(exchange, answer, headers, chunks, wanted);
    const webhooks = this.webhooks();
    if (webhooks === undefined) return undefined;
    const coding = answer.within === 'grpc' ? undefined : header(headers, 'content-encoding');
    const body = Buffer.concat(chunks);
    const decoded = coding === undefined ? body : await decodeContent(body, coding, this.maxAnswerBytes);
    if (decoded === undefined || !wanted()) return undefined;
    return webhooks.rewriteAnswer(exchange, answer, headers, decoded, coding !== undefined, (tag) =>
      this.cards.outwardTag(tag),
    );
  }
}
