import type { EdgeKind, InterpositionMode, Purpose } from './capture.ts';
import type { CellId } from './ids.ts';

/**
 * `rewrite` puts tap addresses into agent cards and webhook registrations, and sets `Host` to the callee's; `alias`
 * leaves all bytes alone, for labs in which the tap has the callee's own name; `forward` makes the tap's address a
 * proxy for the caller (`HTTP_PROXY`, `HTTPS_PROXY`), with the callees of all its `forward` taps behind it.
 */
export type TapMode = Exclude<InterpositionMode, 'import'>;

/** Who is to call whom through a tap, and where the callee really is. */
export interface TapSpec {
  readonly caller: string;
  readonly callee: string;
  readonly kind: EdgeKind;
  /** Base URL of the callee, e.g. `http://127.0.0.1:41234`. A path is kept as a prefix of nothing: targets pass unchanged. */
  readonly upstream: string;
  readonly cell?: CellId;
  readonly purpose?: Purpose;
  /** Address to listen on; any free port of the interposer's host where absent. Port 0 is any free one. */
  readonly listen?: { readonly host?: string; readonly port: number };
  /** How this tap is put between its parties; the interposer's own mode where absent. */
  readonly mode?: TapMode;
}

/** An address on which exactly one caller reaches one callee, in one cell. */
export interface Tap {
  /** Origin to give to the caller, e.g. `http://127.0.0.1:40321`, without a trailing slash. */
  readonly origin: string;
  /**
   * Says which cell, and whose breaches, the requests that begin from now on belong to. For taps whose address is fixed,
   * so that no other tap can be opened for the next cell; not for taps that rewrite, whose URLs are those of one cell.
   */
  assign(to: { readonly cell?: CellId | undefined; readonly purpose?: Purpose | undefined }): void;
  close(): Promise<void>;
}

/** A fault as it is at the moment. */
export interface FaultState {
  readonly id: string;
  /** As it was given, with its id. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** Exchanges that it was chosen for. */
  readonly exchanges: number;
  /** Of them, those that it altered, and how often it could not act. */
  readonly applied: number;
  readonly bypassed: number;
}

/** Switches faults on and off while traffic passes. */
export interface FaultSwitch {
  /** Adds a fault, or replaces the one of this id. @throws PlugfestError PLUGFEST_FAULT_INVALID */
  put(spec: unknown, id?: string): FaultState;
  /** False where there is none of this id. */
  delete(id: string): boolean;
  get(id: string): FaultState | undefined;
  list(): readonly FaultState[];
}

/** Puts the recording proxy between two parties. */
export interface Interposer {
  openTap(spec: TapSpec): Promise<Tap>;
  /** Whether the interposer itself ever connected from this local port to this port of a callee; others bypass it. */
  connectedFrom(localPort: number, calleePort: number): boolean;
  /** Ports that the interposer listens on. */
  listeningPorts(): ReadonlySet<number>;
  /** Undefined where this interposer plays no faults. */
  readonly faults?: FaultSwitch | undefined;
}
