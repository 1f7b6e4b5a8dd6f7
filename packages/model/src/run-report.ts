import type { Gap } from './capture.ts';
import type { CellId, ExchangeId, RunId } from './ids.ts';
import type { Binding, ProtocolVersion } from './protocol.ts';
import type { ExchangeSummary, HopLink, PropagationVerdict } from './trace.ts';
import type { Verdict } from './verdict.ts';

/** Did the interaction work? The other axis, who broke which rule, is in the findings. */
export type CellOutcome = 'ok' | 'failed' | 'unsupported' | 'not-run' | 'timeout';

/** One square of the matrix and one scenario in it. */
export interface Cell {
  readonly id: CellId;
  /** Who drove: an agent's own SDK client, or `plugfest` for the orchestrator's raw client. */
  readonly client: string;
  readonly server: string;
  readonly binding: Binding;
  readonly version: ProtocolVersion;
  readonly scenario: string;
}

export interface CellResult extends Cell {
  readonly outcome: CellOutcome;
  /** One sentence: what did not work, or why it was not run. Absent for `ok`. */
  readonly reason?: string;
  /** What else a reader should know of how it came about, in sentences. */
  readonly notes?: readonly string[];
  /** Where the lab repeats cells: how many of the runs worked. `outcome` and `checks` are those of the worst. */
  readonly repeats?: { readonly ok: number; readonly of: number };
  /** Who made the calls in the client's place, where the client did not do what it was asked for. */
  readonly standIn?: string;
  /** Whose fault it is that the cell failed, where that could be told. */
  readonly blame?: CellBlame;
  /** What was checked, in the order checked. */
  readonly checks: readonly CellCheck[];
  readonly durationMs: number;
  readonly exchanges: readonly ExchangeId[];
  /** Set where the lab expects this cell to fail: the reason given there. */
  readonly expectedBecause?: string;
}

/** One thing that a scenario looked at; `detail` says what was there instead. */
export interface CellCheck {
  readonly name: string;
  readonly ok: boolean;
  /** The text only recommends it, so that a cell in which it does not hold has worked all the same. */
  readonly level?: 'SHOULD';
  readonly detail?: string;
}

/** What each side of a failed cell did with a reference peer in the same scenario. */
export interface CellBlame {
  /** Who also fails with the reference peer. Absent where neither does. */
  readonly party?: 'client' | 'server' | 'both';
  /** Both sides work with the reference peer, and not with each other: perhaps the spec can be read in two ways. */
  readonly ambiguity: boolean;
  /** The client with the reference server. */
  readonly clientCell: CellId;
  /** The reference client with the server. */
  readonly serverCell: CellId;
}

/** Traffic that reached an agent without passing the proxy. */
export interface BypassObservation {
  readonly agent: string;
  /** How it was noticed: `socket` (a connection that is not ours), `task` (a task nobody was seen creating), `hop` (a declared hop without traffic). */
  readonly method: 'socket' | 'task' | 'hop';
  readonly detail: string;
  readonly cell?: CellId;
}

/** An agent of a lab, as its card and the traffic have shown it. */
export interface AgentReport {
  readonly name: string;
  readonly about: string;
  readonly cardUrl?: string;
  readonly versions: readonly ProtocolVersion[];
  readonly bindings: readonly Binding[];
  readonly propagation: PropagationVerdict;
}

/** The result of a run (`plugfest.report/1`): everything the report writers need. */
export interface RunReport {
  readonly schema: 'plugfest.report/1';
  readonly run: {
    readonly id: RunId;
    /** Path of the lab file, from where `plugfest` was started. */
    readonly lab: string;
    readonly title: string;
    readonly startedAt: string;
    readonly durationMs: number;
    readonly seed: number;
    readonly tracing: 'observe' | 'inject';
    readonly plugfest: string;
    readonly node: string;
  };
  /** One sentence. */
  readonly sentence: string;
  /** 3 where Plugfest itself failed somewhere, so that the run proves less than it says. */
  readonly exitCode: 0 | 1 | 3;
  readonly agents: readonly AgentReport[];
  readonly cells: readonly CellResult[];
  readonly bypass: readonly BypassObservation[];
  /** What is to be known of the run beside its cells, in sentences: what was not watched, left out, or expected too broadly. */
  readonly notes: readonly string[];
  /** What was seen but is not in the capture, or may not be. */
  readonly gaps: readonly Gap[];
  /** Expected cell failures that did not happen: each fails the run. */
  readonly staleCellExpectations: readonly { readonly cell: string; readonly reason: string }[];
  readonly verdict: Verdict;
  readonly exchanges: readonly ReportExchange[];
  readonly links: readonly HopLink[];
  readonly rules: readonly ReportRule[];
  /** Absent where there was no earlier run to compare with. */
  readonly comparison?: RunComparison;
}

/** What became of the cells of an earlier run of the same lab. */
export interface RunComparison {
  readonly with: { readonly id: RunId; readonly startedAt: string; readonly seed: number };
  readonly changes: readonly {
    readonly cell: CellId;
    /** Outcomes; `expected` where a failure was foreseen. */
    readonly was: CellOutcome | 'expected';
    readonly is: CellOutcome | 'expected';
    readonly direction: 'better' | 'worse' | 'other';
    /** MUSTs that it breaks now and did not, and the other way round. */
    readonly newlyBroken: readonly string[];
    readonly mended: readonly string[];
  }[];
  /** Cells that only this run has, and that only the earlier one had. */
  readonly added: readonly CellId[];
  readonly removed: readonly CellId[];
}

/** An exchange as the reports show it: bounded, redacted, decoded as text where it is text. */
export interface ReportExchange {
  readonly id: ExchangeId;
  readonly seq: number;
  readonly cell?: CellId;
  readonly caller: string;
  readonly callee: string;
  /** Diagrams draw webhooks apart from calls. */
  readonly kind: ExchangeSummary['kind'];
  readonly atMs: number;
  readonly durationMs: number;
  readonly label: string;
  readonly status?: number;
  readonly end: string;
  readonly request: { readonly head: string; readonly body: string; readonly truncated: boolean };
  readonly response?: { readonly head: string; readonly body: string; readonly truncated: boolean };
}

export interface ReportRule {
  readonly id: string;
  readonly level: string;
  readonly party: string;
  readonly summary: string;
  readonly section: string;
  readonly why: string;
  readonly fix: string;
}
