export type { CaptureClock } from './clock.ts';
export type { CaptureFormat, ImportOptions, ImportSink } from './formats/format.ts';
export { loadFormats } from './formats/registry.ts';
export { type Selection, selected } from './formats/selection.ts';
export { severalFiles } from './formats/several-files.ts';
export { type MemoryCapture, type MemoryOptions, memoryCapture } from './memory.ts';
export {
  capturedFromNdjson,
  exportNdjson,
  grpcJsonHeader,
  importNdjson,
  type NdjsonOptions,
  ndjsonLines,
} from './ndjson/index.ts';
export { type CaptureFollower, followCapture, openCaptureSource } from './reader/open.ts';
export type { RedactionOptions } from './redaction/options.ts';
export { textRedaction } from './redaction/session-texts.ts';
export { checkSeal, type SealCheck } from './seal/check.ts';
export { sealCapture } from './seal/seal.ts';
export { isSealed } from './seal/state.ts';
export { readSpans, type StoredSpan, writeSpans } from './spans.ts';
export { type WebSocketMessage, webSocketMessages, webSocketSummary } from './websocket/messages.ts';
export { type Claim, type Claimant, claim } from './writer/claim.ts';
export { requireFree } from './writer/files.ts';
export { moveCapture } from './writer/move.ts';
export { type CaptureOptions, type FileSink, openCapture } from './writer/open.ts';
export { type Existing, requireReplaceable } from './writer/prepare.ts';
