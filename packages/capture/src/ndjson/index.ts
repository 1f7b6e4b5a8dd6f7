export { exportNdjson } from './export.ts';
export { grpcJsonHeader } from './grpc.ts';
export { capturedFromNdjson, importNdjson, type NdjsonOptions, ndjsonLines } from './import.ts';
