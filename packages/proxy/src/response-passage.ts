import type { Change, ExchangeId } from '@plugfest/model';
import type { WatchedCard } from './cards/card-watch.ts';
import type { ClientSide } from './client-side.ts';
import type { ExchangeConnection } from './exchange-connection.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import { forwardHead } from './forwarded-head.ts';
import { HeldAnswer } from './held-answer.ts';
import type { InboundRequest } from './inbound-request.ts';
import { framingDoubt } from './response-framing.ts';
import type { Answer } from './rewriting/answer.ts';
import { sentReason } from './sent-reason.ts';
import type { TapContext } from './tap-context.ts';
import type { UpstreamFailure, UpstreamHandler } from './upstream/upstream.ts';

/** Most interim responses of one exchange: nothing slows a callee down that sends them. */
const maxInformational = 1000;

/** What the response needs of the exchange that it belongs to. */
export interface ResponseHost {
  readonly id: ExchangeId;
  /** Where the response goes; not asked for before there is one. */
  readonly client: ClientSide;
  /** True once the exchange has its end: nothing goes to the client any more. */
  readonly ended: boolean;
  /** What is there of the start of a request that went by; undefined where none was kept, or not all that matters. */
  requestStart(): Buffer | undefined;
  /** The response cannot go on: leaves the callee, and tells the client. */
  refuseResponse(detail: string): void;
  /** The callee failed before its response was whole. */
  onFailure(failure: UpstreamFailure): void;
}

/**
 * The way of one response from the callee to the client. What comes is put on record, and goes on in the same turn of the
 * event loop, unless it is held because something in it may have to be rewritten.
 */
export class ResponsePassage implements UpstreamHandler {
  private readonly host: ResponseHost;
  private readonly tap: TapContext;
  private readonly connection: ExchangeConnection;
  private readonly request: InboundRequest;
  private readonly record: ExchangeRecord;
  /** What the response may hold that has to be rewritten. */
  private answer: Answer | undefined;
  private held: HeldAnswer | undefined;
  /** A card that goes by. */
  private watched: WatchedCard | undefined;
  private informed = 0;
  private received = false;

  constructor(
    host: ResponseHost,
    tap: TapContext,
    connection: ExchangeConnection,
    request: InboundRequest,
    record: ExchangeRecord,
  ) {
    this.host = host;
    this.tap = tap;
    this.connection = connection;
    this.request = request;
    this.record = record;
  }

  /** True once all of it is there. */
  get whole(): boolean {
    return this.received;
  }

  /** True where the request has said what is in the response, as far as that matters. */
  get foreseen(): boolean {
    return this.answer !== undefined;
  }

  /** Tells what the response may hold, where the request's head says so. */
  foresee(answer: Answer | undefined): void {
    this.answer = answer;
  }

  /** The same for a request's body that is there as a whole. */
  foreseeFrom(body: Buffer): void {
    this.answer ??= this.tap.rewriter?.answerTo(body);
  }

  onInformational(status: number, reason: string, headers: string[]): void {
    if (this.host.ended) return;
    this.informed += 1;
    if (this.informed > maxInformational) {
      this.host.refuseResponse(`more than ${maxInformational} interim responses`);
      return;
    }
    this.record.informational(status, headers);
    this.host.client.inform(status, sentReason(reason), headers);
  }

  onHead(status: number, reason: string, httpVersion: string, received: string[]): void {
    const { request, tap } = this;
    const doubt = this.connection.carriesMany ? undefined : framingDoubt(httpVersion, received);
    if (doubt !== undefined) {
      this.record.responseHead({ status, reason, httpVersion, headers: received });
      this.host.refuseResponse(doubt);
      return;
    }
    if (request.upgrade !== undefined) this.record.bodyEnd('request', []);
    const side = 'response';
    const withoutTransferEncoding = request.httpVersion === '1.0';
    const { headers, changes } = forwardHead(received, { side, withoutTransferEncoding });
    const all: Change[] = [...changes];
    const sent = sentReason(reason);
    if (sent !== reason) {
      all.push({
        side,
        place: 'header',
        where: ':reason',
        before: reason,
        after: sent,
        reason: 'reason-phrase',
      });
    }
    const { rewriter } = tap;
    if (rewriter !== undefined) {
      const { method } = request;
      const callBody = this.answer === undefined ? this.host.requestStart() : undefined;
      if (callBody !== undefined) this.answer = rewriter.answerTo(callBody);
      const hold = this.answer !== undefined && rewriter.mayHold(this.answer, method, status, headers);
      all.push(...rewriter.mapHead(this.host.id, hold ? undefined : this.answer, method, status, headers));
      if (hold) {
        this.record.responseHead({ status, reason, httpVersion, headers: received });
        this.held = new HeldAnswer(status, sent, headers, all, rewriter.maxAnswerBytes, rewriter.heldBytes);
        return;
      }
    } else if (tap.cardWatch !== undefined) {
      this.watched = tap.cardWatch.begin(this.host.id, request.method, request.target, status, headers);
    } else if (tap.deliveries !== undefined) {
      all.push(...tap.deliveries.mapLocation(request.target, status, headers));
    }
    this.host.client.frame(status, headers, all);
    const forwarded = all.length === 0 ? undefined : { headers, changes: all };
    this.record.responseHead({ status, reason, httpVersion, headers: received }, forwarded);
    this.sendHead(status, sent, headers);
  }

  private sendHead(status: number, reason: string, headers: string[]): void {
    if (this.host.ended) return;
    try {
      this.host.client.head(status, reason, headers);
    } catch (error) {
      this.host.refuseResponse(error instanceof Error ? error.message : String(error));
    }
  }

  onData(chunk: Buffer): void {
    this.record.chunk('response', chunk);
    if (this.host.ended) return;
    if (this.watched !== undefined && this.tap.cardWatch?.more(this.watched, chunk) === false)
      this.watched = undefined;
    if (this.held === undefined) this.host.client.write(chunk);
    else if (!this.held.push(chunk)) this.releaseLarge(this.held);
  }

  onEnd(trailers: string[]): void {
    this.record.bodyEnd('response', trailers);
    this.received = true;
    if (this.host.ended) return;
    const { watched } = this;
    this.watched = undefined;
    if (watched !== undefined) void this.tap.cardWatch?.end(watched);
    if (this.held === undefined) this.host.client.end(trailers);
    else void this.finishHeld(this.held, trailers);
  }

  private releaseLarge(held: HeldAnswer): void {
    this.record.note(
      this.answer?.what === 'push-config' ? 'webhook-not-rewritten' : 'card-not-rewritten',
      `${this.tap.callee}'s ${this.answer?.what} is larger than the ${this.tap.rewriter?.maxAnswerBytes} bytes that are looked at, or than there was room for; it was passed on untouched`,
    );
    this.release(held, held.headers, [], held.chunks);
  }

  private async finishHeld(held: HeldAnswer, trailers: string[]): Promise<void> {
    const { headers, chunks } = held;
    const wanted = (): boolean => !this.host.ended;
    const { answer, tap } = this;
    const rewritten =
      answer && (await tap.rewriter?.rewriteAnswer(this.host.id, answer, headers, chunks, wanted));
    // The client may have left meanwhile.
    if (this.host.ended) return;
    if (rewritten === undefined) this.release(held, held.headers, [], held.chunks);
    else this.release(held, rewritten.headers, rewritten.changes, [rewritten.body]);
    if (!this.host.ended) this.host.client.end(rewritten?.keepsTrailers === false ? [] : trailers);
  }

  private release(
    held: HeldAnswer,
    headers: string[],
    more: readonly Change[],
    body: readonly Buffer[],
  ): void {
    this.held = undefined;
    held.give();
    const changes = [...held.changes, ...more];
    this.host.client.frame(held.status, headers, changes);
    for (const change of changes) this.record.change(change);
    this.sendHead(held.status, held.reason, headers);
    if (!this.host.ended) for (const chunk of body) this.host.client.write(chunk);
  }

  onFailure(failure: UpstreamFailure): void {
    this.host.onFailure(failure);
  }

  /** The exchange is at its end. */
  leave(): void {
    this.held?.give();
    if (this.watched !== undefined) this.tap.cardWatch?.leave(this.watched);
    this.watched = undefined;
  }
}
