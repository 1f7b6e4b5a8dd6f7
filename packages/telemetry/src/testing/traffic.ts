import type { CellId, ExchangeId, ExchangeSummary, HopLink, Participant, RunId } from '@plugfest/model';
import { cellId, exchangeId, runId, spanIdOf, traceIdOf, traceparentOf } from '@plugfest/model';
import { linkHops } from '../link-hops.ts';

export const run: RunId = runId('run-1');
export const cell: CellId = cellId('harness/travel/JSONRPC/1.0/delegation');

/** Long enough to be evidence between agents, as real ids are. */
export const id = (name: string): string => `${name}-0000-4000-8000-000000000000`;
/** Stands for the SHA-256 of a text. */
export const text = (name: string): string => `sha256-of-${name}`;

export interface Draft extends Partial<Omit<ExchangeSummary, 'startNs' | 'endNs' | 'id' | 'seq'>> {
  /** Milliseconds since the start of the run. */
  readonly from: number;
  /** Milliseconds; absent for a millisecond later. */
  readonly to?: number;
}

/** Hand-made traffic: each call adds an exchange, in order of observation. */
export class Traffic {
  readonly summaries: ExchangeSummary[] = [];
  participants: readonly Participant[] = [{ name: 'harness', kind: 'harness' }];

  /** A send by default. */
  call(caller: string, callee: string, draft: Draft): ExchangeSummary {
    const { from, to = from + 1, ...rest } = draft;
    const seq = this.summaries.length + 1;
    const summary: ExchangeSummary = {
      id: exchangeId(`x${String(seq)}`),
      seq,
      caller,
      callee,
      edgeKind: 'a2a',
      kind: 'operation',
      method: 'POST',
      target: '/a2a',
      operation: 'SendMessage',
      wireMethod: 'SendMessage',
      binding: 'JSONRPC',
      version: '1.0',
      startNs: from * 1e6,
      responseNs: to * 1e6,
      endNs: to * 1e6,
      end: 'complete',
      status: 200,
      requestBytes: 300,
      responseBytes: 400,
      events: [],
      taskIds: [],
      contextIds: [],
      messageIds: [],
      referenceTaskIds: [],
      pushTokens: [],
      pushUrls: [],
      partDigests: [],
      ...rest,
    };
    this.summaries.push(summary);
    return summary;
  }

  stream(caller: string, callee: string, draft: Draft): ExchangeSummary {
    return this.call(caller, callee, {
      operation: 'SendStreamingMessage',
      wireMethod: 'SendStreamingMessage',
      ...draft,
    });
  }

  poll(caller: string, callee: string, draft: Draft): ExchangeSummary {
    return this.call(caller, callee, { operation: 'GetTask', wireMethod: 'GetTask', ...draft });
  }

  webhook(caller: string, callee: string, draft: Draft): ExchangeSummary {
    const summary = this.call(caller, callee, { ...draft, kind: 'webhook', edgeKind: 'webhook' });
    const { operation: _operation, wireMethod: _wireMethod, ...rest } = summary;
    this.summaries[this.summaries.length - 1] = rest;
    return rest;
  }

  links(): readonly HopLink[] {
    return linkHops({ run, participants: this.participants, summaries: this.summaries });
  }

  linkOf(exchange: { readonly id: ExchangeId }): HopLink | undefined {
    return this.links().find((link) => link.exchange === exchange.id);
  }
}

/** What the proxy sends on in `inject` mode: the client span of the exchange that comes next. */
export const injected = (traffic: Traffic, inCell: CellId | undefined = cell): string => {
  const next = exchangeId(`x${String(traffic.summaries.length + 1)}`);
  return traceparentOf(traceIdOf(run, inCell), spanIdOf(run, next, 'client'));
};
