export type { KindCommand, KindFolders, ResolveKind } from './agents/kinds.ts';
export { kindsIn, knownKinds } from './agents/kinds.ts';
export { type LabTokens, newTokens } from './agents/tokens.ts';
export type { Clock } from './clock.ts';
export type { Dialect } from './driver/drive.ts';
export { namesCell } from './lab/expected-cell.ts';
export type { FaultKinds, FaultsFile } from './lab/faults.ts';
export { faultsJsonSchema } from './lab/faults.ts';
export type {
  CardAgent,
  CommandAgent,
  ExpectedCell,
  KindAgent,
  Lab,
  LabAgent,
  LabBinding,
  LabEdge,
  LabVersion,
} from './lab/lab.ts';
export { baselineFindings, expectedFindings, loadFaults, loadLab } from './lab/load.ts';
export { labJsonSchema } from './lab/schema.ts';
export type { CompletedRun } from './run/complete.ts';
export { applyCellExpectations, completeRun } from './run/complete.ts';
export type { ToolchainsMissing } from './run/installed.ts';
export type { AgentFacts, LabRun } from './run/lab-run.ts';
export type { ProgressEvent } from './run/progress.ts';
export type { Fault } from './run/run-cell.ts';
export type { RunLabOptions } from './run/run-lab.ts';
export { runLab } from './run/run-lab.ts';
export { runnableLab } from './run/runnable.ts';
export type { Hop, Need, Role, Scenario } from './scenario/define.ts';
export { loadScenarios } from './scenario/discover.ts';
