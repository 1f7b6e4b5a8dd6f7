import type { Binding, BypassObservation, CellResult, ProtocolVersion } from '@plugfest/model';
import type { TaskListing } from '../bypass/unseen-tasks.ts';
import type { Fault } from './run-cell.ts';

/** What became of one agent of the lab. */
export interface AgentFacts {
  readonly name: string;
  /** For people; no secrets. */
  readonly about: string;
  readonly cardUrl: string;
  readonly versions: readonly ProtocolVersion[];
  readonly bindings: readonly Binding[];
  readonly drive: boolean;
  /** Why its card could not be used. */
  readonly problem?: string;
}

/** The result of `runLab`, before anything was read from the capture. */
export interface LabRun {
  readonly lab: string;
  readonly title: string;
  readonly seed: number;
  readonly tracing: 'observe' | 'inject';
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly agents: readonly AgentFacts[];
  /** In the order planned; `exchanges` are filled in by `completeRun`. */
  readonly cells: readonly CellResult[];
  /** Seen while it ran; `completeRun` adds what the capture shows. */
  readonly bypass: readonly BypassObservation[];
  readonly taskListings: readonly TaskListing[];
  /** What a reader of the report should know, e.g. that sockets could not be watched here. */
  readonly notes: readonly string[];
  /** Names of the agents that others are compared with to tell whose fault a failed cell is. */
  readonly references: readonly string[];
  /** Faults of Plugfest itself: where there is one, the run proves nothing about that cell. */
  readonly faults: readonly Fault[];
  readonly interrupted: boolean;
  /** Whether cells were left out by `only`. */
  readonly filtered: boolean;
}
