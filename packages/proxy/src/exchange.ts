import type { Change, EndKind, ExchangeId, Side } from '@plugfest/model';
import { cardRequestOf, maxCallBytes } from './cards/card-request.ts';
import type { ClientObserver, ClientSide } from './client-side.ts';
import type { ExchangeConnection } from './exchange-connection.ts';
import { ExchangeRecord } from './exchange-record.ts';
import type { Begin } from './faults/duplicates.ts';
import { ExchangeFaults } from './faults/exchange-faults.ts';
import type { Flow } from './faults/fault.ts';
import type { FaultHost } from './faults/fault-host.ts';
import type { Candidates } from './faults/fault-set.ts';
import { forwardHead } from './forwarded-head.ts';
import { type ForwardedRequest, forwardRequest } from './forwarded-request.ts';
import type { ClientUpgrade, InboundRequest } from './inbound-request.ts';
import { ownDocument, type Problem, type ProblemCode, problem } from './problem.ts';
import { refusalOf } from './refusal.ts';
import { RequestBody, type RequestBodyObserver, wholeBodyBytes } from './request-body.ts';
import { type ResponseHost, ResponsePassage } from './response-passage.ts';
import { sentReason } from './sent-reason.ts';
import type { TapContext } from './tap-context.ts';
import { Tunnel, type TunnelEnd, type TunnelObserver } from './upgrade/tunnel.ts';
import { WaitingCallee } from './upgrade/waiting-callee.ts';
import type { UpstreamCall, UpstreamFailure, UpstreamRequest } from './upstream/upstream.ts';

/** Longest request body that is held for faults to be chosen by it, in bytes. */
const maxHeldBytes = 1024 * 1024;

/**
 * One request and its response on their way through. Events are recorded when they are observed and handed
 * on in the same turn of the event loop; nothing here waits for the recorder.
 */
export class Exchange implements ResponseHost, RequestBodyObserver, ClientObserver, TunnelObserver {
  readonly id: ExchangeId;
  private readonly record: ExchangeRecord;
  private readonly tap: TapContext;
  private readonly connection: ExchangeConnection;
  private readonly request: InboundRequest;
  private readonly response: ResponsePassage;
  private to: ClientSide;
  /** Undefined where no fault may act on it. */
  private faults: ExchangeFaults | undefined;
  private clientFull = false;
  private body: RequestBody | undefined;
  private forwarded: ForwardedRequest | undefined;
  private call: UpstreamCall | undefined;
  /** Present once both sides have left HTTP. */
  private tunnel: Tunnel | undefined;
  /** Bytes of the request that are held back. */
  private heldOfRequest = 0;
  private clientHalfClosed = false;
  /** The client closed its half in the middle of its answer: nobody does who wants the rest of it. */
  private clientLeftMidAnswer = false;
  /** True while exchanges before it on the same connection have their turn. */
  private waits = false;
  private over = false;

  constructor(tap: TapContext, connection: ExchangeConnection, request: InboundRequest, client: ClientSide) {
    this.tap = tap;
    this.connection = connection;
    this.request = request;
    this.id = tap.nextExchange();
    this.record = new ExchangeRecord(this.id, tap.sink);
    this.response = new ResponsePassage(this, tap, connection, request, this.record);
    this.to = client;
    client.observe(this);
  }

  get client(): ClientSide {
    return this.to;
  }

  get ended(): boolean {
    return this.over;
  }

  start(): void {
    const { request, tap } = this;
    const refusal = refusalOf(request, tap);
    if (refusal !== undefined) {
      this.record.requestHead(tap, this.connection.id, request);
      // Nothing goes to the callee: the exchange ends with the proxy.
      this.refuse(refusal.code, refusal.detail, 'shutdown', `${refusal.code}: ${refusal.detail}`);
      return;
    }
    const jwks = tap.rewriter?.jwks(request.method, request.target);
    if (jwks !== undefined) {
      this.record.requestHead(tap, this.connection.id, request);
      this.answerOwn(ownDocument(jwks, 'application/jwk-set+json'), 'jwks');
      return;
    }
    const forwarded = forwardRequest(request, this.id, tap);
    this.forwarded = forwarded;
    this.response.foresee(forwarded.plan?.answer);
    this.record.requestHead(tap, this.connection.id, request, forwarded);
    this.waits = true;
    this.connection.whenTurn(this, () => {
      this.waits = false;
      if (!this.ended) this.begin(forwarded);
    });
  }

  /** True once all of the request is there. */
  get requestWhole(): boolean {
    // One that asks for another protocol has no body.
    return this.request.upgrade !== undefined || this.request.body.complete;
  }

  requestStart(): Buffer | undefined {
    return this.body?.start();
  }

  private begin(forwarded: ForwardedRequest): void {
    const candidates = this.tap.faults?.();
    if (candidates === undefined) this.pass(forwarded);
    else this.startWithFaults(candidates, forwarded);
  }

  /** Nothing but a rewriting holds the request. */
  private pass(forwarded: ForwardedRequest): void {
    const { request, tap } = this;
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
   * The request is held where its body tells which faults act on it, or where one of them takes it as a whole; where they
   * only act on what comes back, it goes its way as without them.
   */
  private startWithFaults(candidates: Candidates, forwarded: ForwardedRequest): void {
    const { framing } = this.request;
    const faults = new ExchangeFaults(candidates, this.faultHost(forwarded));
    this.faults = faults;
    this.to = faults.wrap(this.to);
    const altered = { ...forwarded, headers: [...forwarded.headers] };
    const admit = (held: Buffer | undefined, send: () => void): void => {
      void faults.admit(altered.headers, held).then((admitted) => {
        if (!admitted || this.ended) return;
        this.giveHeldOfRequest();
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
    if (!candidates.needsBody) {
      faults.choose(altered.headers, undefined);
      if (!faults.actsOnRequest) {
        this.pass(forwarded);
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
    if (!candidates.needsBody && !faults.holdsRequest && !mayName) {
      // What comes while the faults act is kept for when they have.
      body.readHeld(take, this.tap.holdTimeoutMs, () => undefined);
      admit(undefined, () => send(framing.expects ? undefined : body.whole()));
      return;
    }
    body.readHeld(take, this.tap.holdTimeoutMs, (held) => {
      if (candidates.needsBody) faults.choose(altered.headers, held);
      admit(held, () => send(held));
    });
  }

  private holdForFaults(bytes: number): boolean {
    if (this.heldOfRequest + bytes > maxHeldBytes || !this.tap.heldBytes.take(bytes)) return false;
    this.heldOfRequest += bytes;
    return true;
  }

  private faultHost(forwarded: ForwardedRequest): FaultHost {
    const { tap, request } = this;
    const { caller, callee, kind, cell } = tap.assignment.place;
    const { method, target, httpVersion } = request;
    const isEnded = (): boolean => this.ended;
    const endByFault = (detail: string, reset: boolean): void => {
      if (this.ended) return;
      if (!this.connection.carriesMany) this.connection.closedByProxy = true;
      this.end('fault', detail);
      // Both sides of a tunnel are ended once what comes before has left.
      if (this.tunnel === undefined) this.call?.abort(reset);
    };
    return {
      exchange: this.id,
      method,
      target,
      httpVersion,
      place: { caller, callee, kind, cell },
      card: method === 'GET' && cardRequestOf(method, target, tap.cardPaths()) !== undefined,
      get ended() {
        return isEnded();
      },
      change: (change) => this.change(change),
      note: (topic, text) => this.record.note(topic, text),
      endByFault,
      answerByFault: (answer, detail) => {
        if (this.ended) return;
        this.end('fault', detail);
        this.client.answer(answer);
      },
      pause: (side) => {
        if (this.tunnel !== undefined) this.tunnel.hold(side);
        else this.call?.pause();
      },
      resume: (side) => {
        if (this.tunnel !== undefined) this.tunnel.release(side);
        else if (!this.clientFull) this.call?.resume();
      },
      sendAgain: (gapMs, body, headers, tell) => {
        const ignore = (): void => undefined;
        const begin: Begin = (handler) => {
          const again = this.connection.sendStreamed(
            { method, path: forwarded.path, headers },
            { handler, onChange: ignore, onDrain: ignore },
          );
          again.write(body);
          again.end([]);
          return again;
        };
        tap.duplicates.send(gapMs, begin, tell);
      },
    };
  }

  // The request's body.

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
    if (this.forwarded !== undefined) this.sendWhole(body, this.forwarded);
  }

  onBodySlow(): void {
    if (this.body !== undefined && this.forwarded !== undefined) this.stream(this.body, this.forwarded);
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
    if (rewriter === undefined || this.heldOfRequest + bytes > rewriter.maxRequestBytes) return false;
    if (!rewriter.heldBytes.take(bytes)) return false;
    this.heldOfRequest += bytes;
    return true;
  }

  private giveHeldOfRequest(): void {
    if (this.heldOfRequest > 0) this.tap.heldBytes.give(this.heldOfRequest);
    this.heldOfRequest = 0;
  }

  private noteUnread(why: string): void {
    const text = `A request to ${this.tap.callee} was not searched for webhooks: ${why}`;
    this.record.note('webhook-not-rewritten', text);
  }

  onBodyNotHeld(why: string): void {
    this.giveHeldOfRequest();
    this.noteUnread(why);
    this.onBodySlow();
  }

  onBodyHeld(body: Buffer, trailers: readonly string[]): void {
    this.giveHeldOfRequest();
    const { forwarded, request, tap } = this;
    if (this.ended || forwarded?.plan === undefined) return;
    this.response.foreseeFrom(body);
    const rewritten = tap.rewriter?.rewriteRequest(this.id, forwarded.plan, forwarded.headers, body);
    for (const change of rewritten?.changes ?? []) this.change(change);
    const { path } = forwarded;
    const headers = rewritten?.headers ?? forwarded.headers;
    const sent = rewritten?.body ?? body;
    if (!request.framing.streamed) {
      this.sendWhole(sent, { ...forwarded, headers });
      return;
    }
    const call = this.connection.sendStreamed(
      { method: request.method, path, headers },
      { handler: this.response, onChange: (change) => this.change(change), onDrain: () => undefined },
    );
    this.call = call;
    if (sent.length > 0) call.write(sent);
    call.end(trailers);
    if (this.clientHalfClosed) call.halfClose();
  }

  private sendWhole(body: Buffer | null, { path, headers }: ForwardedRequest): void {
    if (this.ended) return;
    if (body !== null) this.response.foreseeFrom(body);
    const { method, upgrade } = this.request;
    if (upgrade !== undefined) {
      this.sendUpgrade(upgrade, { method, path, headers });
      return;
    }
    this.call = this.connection.sendWhole({ method, path, headers }, body, this.response);
    if (this.clientHalfClosed) this.call.halfClose();
  }

  // Other protocols.

  private sendUpgrade(upgrade: ClientUpgrade, request: UpstreamRequest): void {
    const call = this.connection.sendStreamed(request, {
      handler: this.response,
      onChange: (change) => this.change(change),
      onDrain: () => undefined,
      onSwitch: (status, reason, httpVersion, received, socket, early) => {
        const { headers, changes } = forwardHead(received, { side: 'response', keepsUpgrade: true });
        const sent = sentReason(reason);
        const forwarded = changes.length === 0 ? undefined : { headers, changes };
        this.record.responseHead({ status, reason, httpVersion, headers: received }, forwarded);
        const opened = { socket, early: early.length > 0 ? [early] : [] };
        this.switchTo(upgrade, status, sent, headers, opened);
      },
    });
    call.end([]);
    // Unless the answer was there in the same turn, which no socket brings about.
    this.call ??= call;
  }

  /** Both sides leave HTTP with this head, if there are faults then through them. */
  private switchTo(
    upgrade: ClientUpgrade,
    status: number,
    reason: string,
    headers: string[],
    callee: TunnelEnd,
  ): void {
    const establish = (flows?: Readonly<Record<Side, Flow>>): void => {
      let head = `HTTP/1.1 ${status} ${reason}\r\n`;
      for (let i = 0; i + 1 < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
      this.tunnel = new Tunnel(upgrade.switchTo(`${head}\r\n`), callee, this);
      this.call = this.tunnel;
      this.tunnel.start(flows);
    };
    if (this.faults === undefined) {
      establish();
      return;
    }
    this.call = new WaitingCallee(callee.socket, () => {
      if (this.tunnel === undefined) this.onFailure({ kind: 'closed', detail: 'other side closed' });
    });
    const sink = (side: Side): Flow => ({
      head: () => {
        if (side === 'response' && !this.ended) establish(flows);
      },
      data: (bytes) => this.tunnel?.write(side, bytes),
      end: () => this.tunnel?.endSide(side),
      cut: (reset) => {
        if (this.tunnel === undefined) this.client.cut(reset);
        else this.tunnel.cut(reset);
      },
    });
    const head = { status, headers, shown: undefined };
    const flows = this.faults.upgrade(head, { request: sink('request'), response: sink('response') });
    flows.response.head();
  }

  onTunnelBytes(side: Side, bytes: Buffer): void {
    this.record.chunk(side, bytes);
  }

  onTunnelHalfClosed(side: Side): void {
    if (!this.ended) this.record.bodyEnd(side, []);
  }

  onTunnelClosed(end: Exclude<EndKind, 'open'>, detail?: string): void {
    const hanging = this.faults?.hanging;
    this.faults?.stop();
    if (!this.ended && hanging !== undefined) this.end('fault', hanging);
    else if (!this.ended) this.end(end, detail);
    this.connection.finished(this);
  }

  private stream(body: RequestBody, { path, headers }: ForwardedRequest): void {
    if (this.ended || this.call !== undefined) return;
    const { tap } = this;
    const { method } = this.request;
    const call = this.connection.sendStreamed(
      { method, path, headers },
      {
        handler: this.response,
        onChange: (change) => this.change(change),
        onDrain: () => body.resume(),
      },
    );
    this.call = call;
    const mayCallForCard = tap.rewriter !== undefined && !this.response.foreseen && method === 'POST';
    body.streamTo(call, mayCallForCard ? maxCallBytes : 0);
    if (this.clientHalfClosed) call.halfClose();
  }

  pause(): void {
    this.clientFull = true;
    this.call?.pause();
  }

  resume(): void {
    this.clientFull = false;
    if (this.faults?.holdsBack !== true) this.call?.resume();
  }

  // Ends.

  onFailure(failure: UpstreamFailure): void {
    if (this.ended) return;
    if (failure.kind === 'given-up') {
      this.giveUp();
      return;
    }
    if (!this.clientHalfClosed) {
      this.fail(failure);
      return;
    }
    // The client left first, and the callee took that as the end.
    this.end('client-abort', failure.detail);
    this.client.drop();
  }

  refuseResponse(detail: string): void {
    this.call?.abort(false);
    this.fail({ kind: 'protocol', detail });
  }

  /** An exchange before this one on the same connection has ended both connections. */
  private giveUp(): void {
    const { client } = this;
    if (!this.connection.closedByProxy && (client.gone || this.clientHalfClosed)) {
      this.end('client-abort', client.departure().detail);
    } else {
      this.connection.closedByProxy = true;
      this.end('shutdown', 'the connection was closed before this request had its turn');
    }
    client.drop();
  }

  private fail({ kind, detail, code }: UpstreamFailure): void {
    const where = `${this.tap.callee} at ${this.tap.target.origin}`;
    if (kind === 'connect') {
      const text = `Plugfest could not reach ${where} (${detail}).`;
      this.refuse('upstream-unreachable', text, 'upstream-abort', `unreachable: ${detail}`);
    } else if (kind === 'connect-timeout') {
      const text = `Plugfest could not reach ${where} in time (${detail}).`;
      this.refuse('upstream-timeout', text, 'timeout', `unreachable: ${detail}`);
    } else if (kind === 'protocol' && !this.client.headSent) {
      const text = `${where} did not answer in ${this.connection.protocol} (${detail}).`;
      this.refuse('upstream-protocol', text, 'upstream-abort', detail);
    } else {
      this.end(kind === 'reset' ? 'reset' : 'upstream-abort', detail);
      if (!this.connection.carriesMany) this.connection.closedByProxy = true;
      this.client.cut(kind === 'reset', code);
    }
  }

  /** The client closed its sending half after a whole request: the callee decides what that means. */
  onClientHalfClose(): void {
    const hanging = this.faults?.hanging;
    if (hanging !== undefined) {
      // Nothing will come that it could wait for.
      if (!this.ended) {
        this.end('fault', hanging);
        this.call?.abort(false);
      }
      this.client.drop();
      return;
    }
    if (this.ended || this.response.whole || this.tunnel !== undefined) return;
    this.clientHalfClosed = true;
    this.clientLeftMidAnswer = this.client.headSent;
    this.client.isLast();
    this.call?.halfClose();
  }

  /** The bytes of this request stopped being HTTP. True where the client can still be answered. */
  onClientError(code: string): boolean {
    if (this.ended) return false;
    this.end('client-abort', code);
    this.call?.abort(code === 'ECONNRESET');
    return !this.client.headSent;
  }

  /** Callees in Go end a stream in order when its client leaves: that is the client's doing, all the same. */
  private orderlyEnd(): [end: Exclude<EndKind, 'open'>, detail?: string] {
    return this.clientLeftMidAnswer ? ['client-abort', 'the callee ended its answer in order'] : ['complete'];
  }

  /** The proxy gives up before this exchange has ended by itself, `because`. */
  shutdown(because: string): void {
    if (this.ended) return;
    this.connection.closedByProxy = true;
    this.end('shutdown', because);
    this.call?.abort(false);
    this.client.drop();
  }

  onClientClosed(): void {
    this.faults?.stop();
    if (!this.ended) {
      const hanging = this.faults?.hanging;
      if (this.waits && this.connection.closedByProxy)
        this.end('shutdown', 'the connection was closed before this request had its turn');
      else if (hanging !== undefined) {
        this.end('fault', hanging);
        this.call?.abort(this.client.departure().reset);
      } else if (this.response.whole && this.client.delivered) this.end(...this.orderlyEnd());
      else {
        const { reset, detail, code, byProxy } = this.client.departure();
        this.end(byProxy === true ? 'shutdown' : 'client-abort', detail);
        this.call?.abort(reset, code);
      }
    }
    this.connection.finished(this);
  }

  /** Answers in the proxy's own name. There is no response of the callee's to record, so this is a change. */
  private refuse(code: ProblemCode, text: string, end: Exclude<EndKind, 'open'>, endDetail: string): void {
    const answered = problem(code, text);
    this.change({ side: 'response', place: 'body', after: answered.body, reason: `plugfest-${code}` });
    this.end(end, endDetail);
    this.client.answer(answered);
  }

  /** Answers with something of the proxy's own that was asked for; nothing goes to the callee. */
  private answerOwn(own: Problem, what: string): void {
    this.change({ side: 'response', place: 'body', after: own.body, reason: `plugfest-${what}` });
    this.end('shutdown', `${what}: answered by the proxy`);
    this.client.answer(own);
  }

  private change(change: Change): void {
    this.record.change(change);
  }

  private end(kind: Exclude<EndKind, 'open'>, detail?: string): void {
    this.over = true;
    this.body?.cancel();
    this.giveHeldOfRequest();
    this.response.leave();
    this.record.end(kind, detail);
  }
}
