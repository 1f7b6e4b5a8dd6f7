import { isJsonObject, type Json, type JsonObject, type ProtocolVersion } from '@plugfest/model';
import type { ErrorView } from '../decoded.ts';
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
