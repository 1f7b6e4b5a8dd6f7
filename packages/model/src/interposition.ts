import type { EdgeKind, Purpose } from './capture.ts';
import type { CellId } from './ids.ts';

export interface TapSpec {
  readonly caller: string;
  readonly callee: string;
  readonly kind: EdgeKind;
  /** Base URL of the callee, e.g. `http://127.0.0.1:41234`. A path is kept as a prefix of nothing: targets pass unchanged. */
  readonly upstream: string;
  readonly cell?: CellId;
  readonly purpose?: Purpose;
}

/** An address on which exactly one caller reaches one callee, in one cell. */
export interface Tap {
  /** Origin to give to the caller, e.g. `http://127.0.0.1:40321`, without a trailing slash. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Puts the recording proxy between two parties. */
export interface Interposer {
  openTap(spec: TapSpec): Promise<Tap>;
  /** Whether the interposer itself ever connected from this local port to this port of a callee; others bypass it. */
  connectedFrom(localPort: number, calleePort: number): boolean;
  /** Ports that the interposer listens on. */
  listeningPorts(): ReadonlySet<number>;
}
