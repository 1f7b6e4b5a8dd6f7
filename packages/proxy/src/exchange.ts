import type { Change, EndKind, ExchangeId, Side } from '@plugfest/model';
import { cardRequestOf } from './cards/card-request.ts';
import type { ClientObserver, ClientSide } from './client-side.ts';
import type { ExchangeConnection } from './exchange-connection.ts';
import { ExchangeRecord } from './exchange-record.ts';
import { ExchangeFaults } from './faults/exchange-faults.ts';
import type { FaultHost } from './faults/fault-host.ts';
import { forwardRequest } from './forwarded-request.ts';
import type { ClientUpgrade, InboundRequest } from './inbound-request.ts';
import { ownDocument, type Problem, type ProblemCode, problem } from './problem.ts';
import { refusalOf } from './refusal.ts';
import { type RequestHost, RequestPassage } from './request-passage.ts';
import { type ResponseHost, ResponsePassage } from './response-passage.ts';
import type { TapContext } from './tap-context.ts';
import { type AgreedUpgrade, leaveHttp, type UpgradeHost } from './upgrade/leave-http.ts';
import type { Tunnel } from './upgrade/tunnel.ts';
import type { UpstreamCall, UpstreamFailure } from './upstream/upstream.ts';

/**
 * One request and its response on their way through: how they begin, and how they end for either side. Events are recorded
 * when they are observed and handed on in the same turn of the event loop; nothing here waits for the recorder.
 */
export class Exchange implements RequestHost, ResponseHost, ClientObserver, UpgradeHost {
  readonly id: ExchangeId;
  private readonly record: ExchangeRecord;
  private readonly tap: TapContext;
  private readonly connection: ExchangeConnection;
  private readonly request: InboundRequest;
  private readonly response: ResponsePassage;
  /** The request's; undefined where nothing goes to the callee. */
  private passage: RequestPassage | undefined;
  private to: ClientSide;
  /** Undefined where no fault may act on it. */
  private actingFaults: ExchangeFaults | undefined;
  private clientFull = false;
  private call: UpstreamCall | undefined;
  /** Present once both sides have left HTTP. */
  private tunnel: Tunnel | undefined;
  private halfClosed = false;
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

  get faults(): ExchangeFaults | undefined {
    return this.actingFaults;
  }

  get clientHalfClosed(): boolean {
    return this.halfClosed;
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
    this.response.foresee(forwarded.plan?.answer);
    this.record.requestHead(tap, this.connection.id, request, forwarded);
    const passage = new RequestPassage(
      this,
      tap,
      this.connection,
      request,
      this.record,
      this.response,
      forwarded,
    );
    this.passage = passage;
    this.waits = true;
    this.connection.whenTurn(this, () => {
      this.waits = false;
      if (!this.ended) this.begin(passage);
    });
  }

  /** True once all of the request is there. */
  get requestWhole(): boolean {
    // One that asks for another protocol has no body.
    return this.request.upgrade !== undefined || this.request.body.complete;
  }

  requestStart(): Buffer | undefined {
    return this.passage?.start();
  }

  private begin(passage: RequestPassage): void {
    const candidates = this.tap.faults?.();
    if (candidates === undefined) {
      passage.begin();
      return;
    }
    const faults = new ExchangeFaults(candidates, this.faultHost(passage));
    this.actingFaults = faults;
    this.to = faults.wrap(this.to);
    passage.beginThrough(faults, candidates.needsBody);
  }

  private faultHost(passage: RequestPassage): FaultHost {
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
      sendAgain: (gapMs, body, headers, tell) => passage.sendAgain(gapMs, body, headers, tell),
    };
  }

  onSent(call: UpstreamCall): void {
    this.call = call;
  }

  // Other protocols.

  onSwitch(client: ClientUpgrade, agreed: AgreedUpgrade): void {
    leaveHttp(this, this.record, client, agreed);
  }

  onTunnel(tunnel: Tunnel): void {
    this.tunnel = tunnel;
    this.call = tunnel;
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
    if (!this.halfClosed) {
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
    if (!this.connection.closedByProxy && (client.gone || this.halfClosed)) {
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
    this.halfClosed = true;
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
    this.passage?.leave();
    this.response.leave();
    this.record.end(kind, detail);
  }
}
