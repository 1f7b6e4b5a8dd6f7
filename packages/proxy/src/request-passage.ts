import type { ExchangeId } from '@plugfest/model';
import { maxCallBytes } from './cards/card-request.ts';
import type { ExchangeConnection } from './exchange-connection.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import type { Begin } from './faults/duplicates.ts';
import type { ExchangeFaults } from './faults/exchange-faults.ts';
import type { ForwardedRequest } from './forwarded-request.ts';
import type { ClientUpgrade, InboundRequest } from './inbound-request.ts';
import { RequestBody, type RequestBodyObserver, wholeBodyBytes } from './request-body.ts';
import type { ResponsePassage } from './response-passage.ts';
import type { TapContext } from './tap-context.ts';
import type { AgreedUpgrade } from './upgrade/leave-http.ts';
import type { UpstreamCall, UpstreamRequest } from './upstream/upstream.ts';

/** Longest request body that is held for faults to be chosen by it, in bytes. */
const maxHeldBytes = 1024 * 1024;

/** What the request needs of the exchange that it belongs to. */
export interface RequestHost {
  readonly id: ExchangeId;
  /** True once the exchange has its end: nothing goes to the callee any more. */
  readonly ended: boolean;
  /** The client has said its last word on this connection, and the callee is to hear that after the request. */
  readonly clientHalfClosed: boolean;
  /** The request is on its way; told before any of a streamed body is. */
  onSent(call: UpstreamCall): void;
  /** The callee agrees to the protocol that the request asks for. */
  onSwitch(client: ClientUpgrade, agreed: AgreedUpgrade): void;
}

/**
 * The way of one request from the client to the callee. Its body is put on record as it comes, and goes on in the same turn
 * of the event loop, unless it is held: because something in it may have to be rewritten, or because faults act on it.
 */
export class RequestPassage implements RequestBodyObserver {
  private readonly host: RequestHost;
  private readonly tap: TapContext;
  private readonly connection: ExchangeConnection;
  private readonly request: InboundRequest;
  private readonly record: ExchangeRecord;
  private readonly response: ResponsePassage;
  private forwarded: ForwardedRequest;
  private body: RequestBody | undefined;
  private sent = false;
  /** Bytes that are held back. */
  private heldBytes = 0;

  constructor(
    host: RequestHost,
    tap: TapContext,
    connection: ExchangeConnection,
    request: InboundRequest,
    record: ExchangeRecord,
    response: ResponsePassage,
    forwarded: ForwardedRequest,
  ) {
    this.host = host;
    this.tap = tap;
    this.connection = connection;
    this.request = request;
    this.record = record;
    this.response = response;
    this.forwarded = forwarded;
  }

  /** What was kept of the start of a streamed body. */
  start(): Buffer | undefined {
    return this.body?.start();
  }

  /** Begins, where no fault may act on it: nothing but a rewriting holds the request. */
  begin(): void {
    const { forwarded, request, tap } = this;
    const { framing } = request;
    const { plan } = forwarded;
    if (plan?.push !== undefined && this.canHold()) {
      this.body = new RequestBody(request.body, this);
      this.body.hold((bytes) => this.holdMore(bytes), tap.holdTimeoutMs);
    } else if (
      framing.streamed ||
      (framing.expects && framing.length > 0) ||
      framing.length > wholeBodyBytes
    ) {
      this.body = new RequestBody(request.body, this);
      this.body.readStream();
      this.stream(this.body, forwarded);
    } else if (framing.length > 0) {
      this.body = new RequestBody(request.body, this);
      this.body.readWhole(framing.length);
    } else {
      this.onNoBody();
      this.sendWhole(null, forwarded);
    }
  }

  /**
   * Begins through faults. The request is held where its body tells which of them act on it, or where one of them takes it
   * as a whole; where they only act on what comes back, it goes its way as without them.
   */
  beginThrough(faults: ExchangeFaults, needsBody: boolean): void {
    const { forwarded } = this;
    const { framing } = this.request;
    const altered = { ...forwarded, headers: [...forwarded.headers] };
    const admit = (held: Buffer | undefined, send: () => void): void => {
      void faults.admit(altered.headers, held).then((admitted) => {
        if (!admitted || this.host.ended) return;
        this.giveHeld();
        this.forwarded = altered;
        send();
      });
    };
    if (framing.length === 0 && !framing.streamed) {
      this.onNoBody();
      const none = Buffer.alloc(0);
      faults.choose(altered.headers, none);
      admit(none, () => this.sendWhole(null, altered));
      return;
    }
    if (!needsBody) {
      faults.choose(altered.headers, undefined);
      if (!faults.actsOnRequest) {
        this.begin();
        return;
      }
    }
    const body = new RequestBody(this.request.body, this);
    this.body = body;
    // A client that waits for a 100 sends nothing until the callee has been asked.
    const take = framing.expects ? undefined : (bytes: number): boolean => this.holdForFaults(bytes);
    const mayName = altered.plan?.push !== undefined;
    const send = (held: Buffer | undefined): void => {
      if (held !== undefined && mayName) this.onBodyHeld(held, this.request.body.rawTrailers);
      else if (held !== undefined && !framing.streamed) this.sendWhole(held, altered);
      else {
        if (mayName) this.noteUnread(framing.expects ? 'its client waits for a 100' : 'it is too large');
        this.stream(body, altered);
      }
    };
    if (!needsBody && !faults.holdsRequest && !mayName) {
      // What comes while the faults act is kept for when they have.
      body.readHeld(take, this.tap.holdTimeoutMs, () => undefined);
      admit(undefined, () => send(framing.expects ? undefined : body.whole()));
      return;
    }
    body.readHeld(take, this.tap.holdTimeoutMs, (held) => {
      if (needsBody) faults.choose(altered.headers, held);
      admit(held, () => send(held));
    });
  }

  private holdForFaults(bytes: number): boolean {
    if (this.heldBytes + bytes > maxHeldBytes || !this.tap.heldBytes.take(bytes)) return false;
    this.heldBytes += bytes;
    return true;
  }

  // What the body tells.

  onBodyChunk(chunk: Buffer): void {
    this.record.chunk('request', chunk);
  }

  /** Who asks for another protocol may go on speaking; without one, the request was all. */
  private onNoBody(): void {
    if (this.request.upgrade === undefined) this.onBodyEnd([]);
  }

  onBodyEnd(trailers: string[]): void {
    this.record.bodyEnd('request', trailers);
  }

  onBodyWhole(body: Buffer): void {
    this.sendWhole(body, this.forwarded);
  }

  onBodySlow(): void {
    if (this.body !== undefined) this.stream(this.body, this.forwarded);
  }

  // A request that may have to be rewritten.

  private canHold(): boolean {
    const { streamed, expects, length } = this.request.framing;
    // Who waits for a 100 waits for the callee's, which has to see the head first.
    if (!expects && (streamed || length > 0) && length <= (this.tap.rewriter?.maxRequestBytes ?? 0))
      return true;
    if (expects || length > 0) this.noteUnread(expects ? 'its client waits for a 100' : 'it is too large');
    return false;
  }

  private holdMore(bytes: number): boolean {
    const { rewriter } = this.tap;
    if (rewriter === undefined || this.heldBytes + bytes > rewriter.maxRequestBytes) return false;
    if (!rewriter.heldBytes.take(bytes)) return false;
    this.heldBytes += bytes;
    return true;
  }

  private giveHeld(): void {
    if (this.heldBytes > 0) this.tap.heldBytes.give(this.heldBytes);
    this.heldBytes = 0;
  }

  private noteUnread(why: string): void {
    const text = `A request to ${this.tap.callee} was not searched for webhooks: ${why}`;
    this.record.note('webhook-not-rewritten', text);
  }

  onBodyNotHeld(why: string): void {
    this.giveHeld();
    this.noteUnread(why);
    this.onBodySlow();
  }

  onBodyHeld(body: Buffer, trailers: readonly string[]): void {
    this.giveHeld();
    const { forwarded, request, tap } = this;
    if (this.host.ended || forwarded.plan === undefined) return;
    this.response.foreseeFrom(body);
    const rewritten = tap.rewriter?.rewriteRequest(this.host.id, forwarded.plan, forwarded.headers, body);
    for (const change of rewritten?.changes ?? []) this.record.change(change);
    const { path } = forwarded;
    const headers = rewritten?.headers ?? forwarded.headers;
    const sent = rewritten?.body ?? body;
    if (!request.framing.streamed) {
      this.sendWhole(sent, { ...forwarded, headers });
      return;
    }
    const call = this.connection.sendStreamed(
      { method: request.method, path, headers },
      { handler: this.response, onChange: (change) => this.record.change(change), onDrain: () => undefined },
    );
    this.onSent(call);
    if (sent.length > 0) call.write(sent);
    call.end(trailers);
    if (this.host.clientHalfClosed) call.halfClose();
  }

  private sendWhole(body: Buffer | null, { path, headers }: ForwardedRequest): void {
    if (this.host.ended) return;
    if (body !== null) this.response.foreseeFrom(body);
    const { method, upgrade } = this.request;
    if (upgrade !== undefined) {
      this.sendUpgrade(upgrade, { method, path, headers });
      return;
    }
    const call = this.connection.sendWhole({ method, path, headers }, body, this.response);
    this.onSent(call);
    if (this.host.clientHalfClosed) call.halfClose();
  }

  private sendUpgrade(client: ClientUpgrade, request: UpstreamRequest): void {
    const call = this.connection.sendStreamed(request, {
      handler: this.response,
      onChange: (change) => this.record.change(change),
      onDrain: () => undefined,
      onSwitch: (status, reason, httpVersion, headers, socket, early) => {
        const callee = { socket, early: early.length > 0 ? [early] : [] };
        this.host.onSwitch(client, { status, reason, httpVersion, headers, callee });
      },
    });
    this.onSent(call);
    call.end([]);
  }

  private stream(body: RequestBody, { path, headers }: ForwardedRequest): void {
    if (this.host.ended || this.sent) return;
    const { tap } = this;
    const { method } = this.request;
    const call = this.connection.sendStreamed(
      { method, path, headers },
      {
        handler: this.response,
        onChange: (change) => this.record.change(change),
        onDrain: () => body.resume(),
      },
    );
    this.onSent(call);
    const mayCallForCard = tap.rewriter !== undefined && !this.response.foreseen && method === 'POST';
    body.streamTo(call, mayCallForCard ? maxCallBytes : 0);
    if (this.host.clientHalfClosed) call.halfClose();
  }

  private onSent(call: UpstreamCall): void {
    this.sent = true;
    this.host.onSent(call);
  }

  /** Sends the request once more, on a connection of its own; tells what became of it. */
  sendAgain(gapMs: number, body: Buffer, headers: readonly string[], tell: (what: string) => void): void {
    const { method } = this.request;
    const { path } = this.forwarded;
    const ignore = (): void => undefined;
    const begin: Begin = (handler) => {
      const again = this.connection.sendStreamed(
        { method, path, headers },
        { handler, onChange: ignore, onDrain: ignore },
      );
      again.write(body);
      again.end([]);
      return again;
    };
    this.tap.duplicates.send(gapMs, begin, tell);
  }

  /** The exchange has ended: what comes of the body is put on record still, but nothing is waited for. */
  leave(): void {
    this.body?.cancel();
    this.giveHeld();
  }
}
