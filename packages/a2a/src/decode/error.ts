import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Operation,
  type ProtocolVersion,
} from '@plugfest/model';
import type { ErrorView, GrpcStatus } from '../decoded.ts';
import { a2aErrorByReason, errorInfoType, errorNameOf } from '../errors.ts';

function errorInfoIn(details: Json | undefined): JsonObject | undefined {
  const items = Array.isArray(details) ? details : [details];
  return items.find((item): item is JsonObject => isJsonObject(item) && item['@type'] === errorInfoType);
}

/**
 * An error object at `pointer`. `httpStatus` is given for unary HTTP+JSON responses and is then the code; elsewhere
 * the object's own `code` is.
 */
export function errorView(
  value: Json,
  pointer: string,
  version: ProtocolVersion,
  httpStatus?: number,
): ErrorView {
  const error: JsonObject = isJsonObject(value) ? value : {};
  const own = typeof error.code === 'number' ? error.code : undefined;
  const details = error.data ?? error.details;
  const errorInfo = errorInfoIn(details);
  const reason = typeof errorInfo?.reason === 'string' ? errorInfo.reason : undefined;
  return {
    code: httpStatus ?? own,
    // REST servers of 0.3 put the JSON-RPC code into their bodies.
    name: (own === undefined ? undefined : errorNameOf(version, own)) ?? a2aErrorByReason(reason)?.name,
    message: typeof error.message === 'string' ? error.message : undefined,
    details,
    errorInfo,
    value,
    pointer,
  };
}

/** Operations that name a task which the agent may not have. */
const ofTask: ReadonlySet<Operation | undefined> = new Set<Operation | undefined>([
  ...(['GetTask', 'CancelTask', 'SubscribeToTask'] as const),
]);

/**
 * A gRPC status as an error, in the form that HTTP+JSON gives it. The reason names the error; without one only
 * NOT_FOUND can mean a single thing (A2A 1.0 section 5.4).
 */
export function grpcErrorView(status: GrpcStatus, operation: Operation | undefined): ErrorView {
  const { code, name, text, message, details } = status;
  const list = details === undefined ? undefined : [...details];
  const errorInfo = errorInfoIn(list);
  const reason = typeof errorInfo?.reason === 'string' ? errorInfo.reason : undefined;
  const byStatus =
    errorInfo === undefined && name === 'NOT_FOUND' && ofTask.has(operation)
      ? 'TaskNotFoundError'
      : undefined;
  return {
    code,
    name: a2aErrorByReason(reason)?.name ?? byStatus,
    message,
    details: list,
    errorInfo,
    value: {
      code: code ?? text,
      ...(name === undefined ? {} : { status: name }),
      ...(message === undefined ? {} : { message }),
      ...(list === undefined ? {} : { details: list }),
    },
    pointer: '',
  };
}
