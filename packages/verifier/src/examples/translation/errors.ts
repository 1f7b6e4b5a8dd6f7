import { isJsonObject, type Json, type ProtocolVersion } from '@plugfest/model';
import { untranslatable } from './codec.ts';
import type { CallError } from './meaning.ts';

interface ErrorRow {
  readonly code: number;
  readonly http: number;
  readonly grpc: string;
  /** Of its ErrorInfo; JSON-RPC's own errors have none. */
  readonly reason?: string;
}

/** A2A 1.0 section 5.4, and the JSON-RPC errors that other bindings can say (section 9.5, 11.6). */
const rows: readonly ErrorRow[] = [
  { code: -32001, http: 404, grpc: 'NOT_FOUND', reason: 'TASK_NOT_FOUND' },
  { code: -32002, http: 400, grpc: 'FAILED_PRECONDITION', reason: 'TASK_NOT_CANCELABLE' },
  { code: -32003, http: 400, grpc: 'FAILED_PRECONDITION', reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED' },
  { code: -32004, http: 400, grpc: 'FAILED_PRECONDITION', reason: 'UNSUPPORTED_OPERATION' },
  { code: -32005, http: 400, grpc: 'INVALID_ARGUMENT', reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
  { code: -32006, http: 500, grpc: 'INTERNAL', reason: 'INVALID_AGENT_RESPONSE' },
  { code: -32007, http: 400, grpc: 'FAILED_PRECONDITION', reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED' },
  { code: -32008, http: 400, grpc: 'FAILED_PRECONDITION', reason: 'EXTENSION_SUPPORT_REQUIRED' },
  { code: -32009, http: 400, grpc: 'FAILED_PRECONDITION', reason: 'VERSION_NOT_SUPPORTED' },
  { code: -32602, http: 400, grpc: 'INVALID_ARGUMENT' },
  { code: -32603, http: 500, grpc: 'INTERNAL' },
];

/** The last code of A2A's own that a version has. */
const lastCode: Readonly<Record<ProtocolVersion, number>> = {
  '0.1': -32005,
  '0.2': -32006,
  '0.3': -32007,
  '1.0': -32009,
};

const infoType = 'type.googleapis.com/google.rpc.ErrorInfo';

/** Reason of the A2A ErrorInfo among the details. */
function reasonIn(details: Json | undefined): string | undefined {
  if (!Array.isArray(details)) return undefined;
  const info = details.find((entry: Json) => isJsonObject(entry) && entry['@type'] === infoType);
  return isJsonObject(info) && typeof info.reason === 'string' ? info.reason : undefined;
}

/** Code of an error that HTTP+JSON or gRPC says by status and ErrorInfo; what only its status says must be sure. */
export function codeOf(details: Json | undefined, status: string): number {
  const reason = reasonIn(details);
  const row = rows.find((each) =>
    reason === undefined ? isOwn(each) && each.grpc === status : each.reason === reason,
  );
  return row?.code ?? untranslatable(`no code for ${status} ${reason}`);
}

const isOwn = ({ reason }: ErrorRow): boolean => reason === undefined;

/** The row of an error that this version has, and whose ErrorInfo, if any, says the same. */
export function rowOf({ code, details }: CallError, version: ProtocolVersion): ErrorRow {
  const row = rows.find((each) => each.code === code) ?? untranslatable(`error ${code} has one binding only`);
  if (row.reason !== undefined && code < lastCode[version]) untranslatable(`${version} has no error ${code}`);
  const reason = reasonIn(details);
  if (reason !== undefined && reason !== row.reason) untranslatable('code and reason differ');
  return row;
}

/** Details as HTTP+JSON and gRPC of 1.0 have to have them; JSON-RPC may leave them out (section 9.5). */
export function typedDetails({ reason }: ErrorRow, details: Json | undefined): readonly Json[] | undefined {
  if (details === undefined)
    return reason === undefined ? undefined : [{ '@type': infoType, reason, domain: 'a2a-protocol.org' }];
  if (!Array.isArray(details)) return untranslatable('details are no array');
  const all: readonly Json[] = details;
  return all.every((entry) => isJsonObject(entry)) ? all : untranslatable('details are no objects');
}
