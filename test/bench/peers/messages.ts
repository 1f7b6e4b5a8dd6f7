/** Between the bench and its child processes. A peer says `ready` once; a load generator answers every order. */
export interface Ready {
  readonly type: 'ready';
  readonly port: number;
}

export interface Order {
  readonly type: 'requests' | 'events' | 'calls';
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
}

export interface Result {
  readonly type: 'result';
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly count: number;
}

/** Asks a proxy for the processor time that it has used, in all its threads. */
export interface UsageOrder {
  readonly type: 'usage';
}

export interface Usage {
  readonly type: 'usage';
  readonly cpuUs: number;
  /** How late the event loop was since the last time; only where it was watched. */
  readonly loopDelayMs?: { readonly p50: number; readonly p99: number; readonly max: number };
}
