import type { Change, Side } from '@plugfest/model';
import type { ClientSide } from '../client-side.ts';
import type { Flow, PreparedFault, RequestAct, ResponseAct, Stage } from './fault.ts';
import type { FaultHost } from './fault-host.ts';
import type { Candidates, ChosenFault } from './fault-set.ts';
import { FaultyClient, type FaultyHead } from './faulty-client.ts';

/** The faults of one exchange, between its client, its record and its callee. */
export class ExchangeFaults {
  private readonly host: FaultHost;
  private readonly candidates: Candidates;
  private chosen: readonly ChosenFault[] = [];
  /** What cancels each callback that is to come. */
  private readonly timers = new Set<() => void>();
  /** Why the client hears nothing; undefined while it does. */
  private silence: string | undefined;
  private full = false;
  private client: ClientSide | undefined;

  constructor(candidates: Candidates, host: FaultHost) {
    this.candidates = candidates;
    this.host = host;
  }

  /** Stands between the exchange and its client from now on. */
  wrap(client: ClientSide): ClientSide {
    this.client = client;
    return new FaultyClient(client, this);
  }

  /** True where the callee has to wait, because too much is held. */
  get holdsBack(): boolean {
    return this.full;
  }

  /** Why the client, which left, had been waiting in vain. */
  get hanging(): string | undefined {
    return this.silence;
  }

  /** True where a chosen fault acts on the request, and so before it may go out. */
  get actsOnRequest(): boolean {
    return this.chosen.some(({ prepared }) => prepared.request !== undefined);
  }

  /** True where a chosen fault takes the request's body as a whole. */
  get holdsRequest(): boolean {
    return this.chosen.some(({ prepared }) => prepared.holdsRequest);
  }

  /** Chooses the faults; to be called once. */
  choose(headers: readonly string[], body: Buffer | undefined): void {
    const { host } = this;
    const { method, target, card } = host;
    this.chosen = this.candidates.choose({ method, target, card, headers, body });
    if (body === undefined && this.candidates.needsBody) {
      const why = 'the request is too large or too slow to be held, or waits for a 100';
      host.note(
        'fault-bypassed',
        `Faults that are chosen by operation or task may have been bypassed: ${why}`,
      );
    }
  }

  /**
   * Lets the chosen faults act on the request. Its fields are edited in place. Resolves once it may go out, which it may
   * not where the exchange has ended or hangs by then.
   */
  async admit(headers: string[], body: Buffer | undefined): Promise<boolean> {
    const { host } = this;
    this.askForNoCompression(headers);
    for (const fault of this.chosen) {
      if (fault.prepared.request === undefined) continue;
      try {
        await fault.prepared.request(this.requestAct(fault, headers, body));
      } catch (error) {
        this.failed(fault, error);
      }
      if (host.ended || this.silence !== undefined) return false;
    }
    return true;
  }

  /** Messages that are compressed refer to those before them: none of them could be left out, or come at another place. */
  private askForNoCompression(headers: string[]): void {
    const fault = this.chosen.find(({ prepared }) => prepared.upgraded === 'uncompressed');
    if (fault === undefined) return;
    for (let i = headers.length - 2; i >= 0; i -= 2) {
      if (headers[i]?.toLowerCase() !== 'sec-websocket-extensions') continue;
      const [where = '', before = ''] = headers.splice(i, 2);
      this.act(fault, 'request').framed({ place: 'header', where, before });
    }
  }

  /** Puts the faults between the response's head and the client. */
  respond(head: FaultyHead, sink: Flow): Flow {
    return this.flowOf('response', sink, ({ prepared }, act) => {
      if (prepared.side === 'response') return prepared.response?.(act(head, false));
      // Those that act on the request itself have done so.
      if (prepared.request === undefined)
        act(head, false).bypassed('its client sends no messages by WebSocket');
      return undefined;
    });
  }

  /** Puts the faults between the two sides of a connection that leaves HTTP with this head. */
  upgrade(head: FaultyHead, sinks: Readonly<Record<Side, Flow>>): Readonly<Record<Side, Flow>> {
    const flowOf = (side: Side): Flow =>
      this.flowOf(side, sinks[side], ({ prepared }, act) => {
        if (prepared.side !== side) return undefined;
        if (prepared.upgraded !== undefined) return prepared.response?.(act(head, true));
        if (prepared.response !== undefined) act(head, true).bypassed('the connection has left HTTP');
        return undefined;
      });
    return { request: flowOf('request'), response: flowOf('response') };
  }

  private flowOf(
    side: Side,
    sink: Flow,
    stageOf: (
      fault: { readonly prepared: PreparedFault },
      act: (head: FaultyHead, upgraded: boolean) => ResponseAct,
    ) => Stage | undefined,
  ): Flow {
    let flow = sink;
    // Their order is that of the list, so that the first one sees what came.
    const stages = this.chosen.flatMap((fault) => this.stageOf(fault, side, stageOf) ?? []);
    for (const stage of stages.reverse()) flow = stage(flow);
    return flow;
  }

  private stageOf(
    fault: ChosenFault,
    side: Side,
    stageOf: Parameters<ExchangeFaults['flowOf']>[2],
  ): Stage | undefined {
    try {
      return stageOf(fault, (head, upgraded) => this.responseAct(fault, head, side, upgraded));
    } catch (error) {
      this.failed(fault, error);
      return undefined;
    }
  }

  /** A defect of the fault itself must not end the traffic, nor the process. */
  private failed({ id, name }: ChosenFault, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.host.note('fault-failed', `${id}: ${name} failed in itself: ${why}`);
  }

  /** Nothing that they were to do later is done. */
  stop(): void {
    for (const cancel of this.timers) cancel();
    this.timers.clear();
  }

  private after(ms: number, callback: () => void): void {
    const call = (): void => {
      this.timers.delete(cancel);
      callback();
    };
    const timer = ms > 0 ? setTimeout(call, ms) : undefined;
    const turn = ms > 0 ? undefined : setImmediate(call);
    const cancel = (): void => {
      clearTimeout(timer);
      clearImmediate(turn);
    };
    this.timers.add(cancel);
  }

  private act(fault: ChosenFault, side: Side) {
    const { host } = this;
    let counted = false;
    const framed = (change: Omit<Change, 'reason' | 'side'>): void =>
      host.change({ side, ...change, reason: `fault-${fault.name}` });
    return {
      exchange: host.exchange,
      random: fault.random,
      applied: (change: Omit<Change, 'reason' | 'side'>): void => {
        if (!counted) fault.acted();
        counted = true;
        framed(change);
      },
      framed,
      bypassed: (why: string): void => {
        fault.bypassed();
        host.note('fault-bypassed', `${fault.id}: ${fault.name} was bypassed: ${why}`);
      },
      after: (ms: number, callback: () => void): void => this.after(ms, callback),
      endExchange: (detail: string, reset: boolean): void =>
        host.endByFault(`${fault.name}: ${detail}`, reset),
    };
  }

  private requestAct(fault: ChosenFault, headers: string[], body: Buffer | undefined): RequestAct {
    const { host } = this;
    const act = this.act(fault, 'request');
    return {
      ...act,
      headers,
      body,
      wait: (ms) =>
        new Promise((resolve) => {
          this.after(ms, resolve);
        }),
      reset: () => {
        act.endExchange('reset before the request went out', true);
        this.client?.cut(true);
      },
      hang: (forMs) => this.hang(fault, forMs, () => this.client?.drop()),
      answer: (status) => {
        const headers = ['content-length', '0'];
        host.answerByFault({ status, headers, body: '' }, `${fault.name}: answered in the callee's place`);
      },
      sendAgain: (gapMs) => {
        if (body === undefined) return;
        host.sendAgain(gapMs, body, headers, (what) =>
          host.note('fault-duplicate', `${fault.id}: the duplicate ${what}`),
        );
      },
    };
  }

  private responseAct(fault: ChosenFault, head: FaultyHead, side: Side, upgraded: boolean): ResponseAct {
    const { host } = this;
    const { place, method } = host;
    return {
      ...this.act(fault, side),
      upgraded,
      method,
      httpVersion: host.httpVersion,
      caller: place.caller,
      callee: place.callee,
      status: head.status,
      headers: head.headers,
      hasBody: method !== 'HEAD' && head.status !== 204 && head.status !== 304,
      setStatus: (status) => {
        head.shown = status;
      },
      pause: () => {
        if (side === 'response') this.full = true;
        host.pause(side);
      },
      resume: () => {
        if (side === 'response') this.full = false;
        host.resume(side);
      },
      hang: (forMs, cut) => this.hang(fault, forMs, cut),
    };
  }

  private hang(fault: ChosenFault, forMs: number, cut: () => void): void {
    this.silence = `${fault.name}: the caller left`;
    this.after(forMs, () => {
      this.silence = undefined;
      // The callee may have failed meanwhile: that was the end, but the client has not seen it.
      if (!this.host.ended) this.host.endByFault(`${fault.name}: silence for ${forMs} ms`, false);
      cut();
    });
  }
}
