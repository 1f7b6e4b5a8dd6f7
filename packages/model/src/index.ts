export type {
  CapturedBody,
  CapturedChunk,
  CapturedExchange,
  CapturedNote,
  CapturedRequest,
  CapturedResponse,
  CaptureEvent,
  CaptureInfo,
  CaptureSink,
  CaptureSource,
  Change,
  Edge,
  EdgeKind,
  EndKind,
  Gap,
  InterpositionMode,
  Loss,
  Participant,
  ParticipantKind,
  Purpose,
  RawHeaders,
  Side,
} from './capture.ts';
export type { ErrorCode, PlugfestErrorOptions } from './errors.ts';
export { errorCodes, isPlugfestError, PlugfestError } from './errors.ts';
export { globMatches } from './glob.ts';
export { grpcStatusNames } from './grpc-status.ts';
export { contentType, header, headerValues, mediaType, shareHeaders } from './headers.ts';
export type { CellId, ConnectionId, EdgeId, ExchangeId, RunId } from './ids.ts';
export { cellId, connectionId, edgeId, exchangeId, runId, scenarioOfCell } from './ids.ts';
export type { FaultState, FaultSwitch, Interposer, Tap, TapMode, TapSpec } from './interposition.ts';
export type { Json, JsonObject, JsonPrimitive } from './json.ts';
export { isJsonObject } from './json.ts';
export type { Binding, Dialect, Level, Operation, Party, ProtocolVersion, TaskState } from './protocol.ts';
export type {
  AgentReport,
  BypassObservation,
  Cell,
  CellBlame,
  CellCheck,
  CellOutcome,
  CellResult,
  ReportExchange,
  ReportRule,
  RunComparison,
  RunReport,
} from './run-report.ts';
export type {
  ExchangeSummary,
  HopLink,
  LinkMethod,
  Propagation,
  PropagationVerdict,
  TraceContext,
} from './trace.ts';
export {
  cellSpanIdOf,
  parseTraceparent,
  spanIdOf,
  spanIdOfTracestate,
  traceIdOf,
  traceparentOf,
  tracestateOf,
} from './trace.ts';
export type {
  ExpectedFinding,
  Finding,
  FindingLocation,
  FindingOutcome,
  OmittedFindings,
  RuleResult,
  RuleStatus,
  Verdict,
} from './verdict.ts';
export { registeredTarget, webhookKey, webhookUrlReason } from './webhook-key.ts';
