import { a2aErrorByReason, type ErrorView, errorDomain, errorInfoType } from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';

/** A google.rpc.ErrorInfo and its place below the error. */
export interface PlacedErrorInfo {
  readonly value: JsonObject;
  readonly index: number;
}

/** Every google.rpc.ErrorInfo in the typed objects of an error. */
export function errorInfos(details: Json | undefined): readonly PlacedErrorInfo[] {
  if (!Array.isArray(details)) return [];
  return details.flatMap((value: Json, index) =>
    isJsonObject(value) && value['@type'] === errorInfoType ? [{ value, index }] : [],
  );
}

const reasonOf = ({ value }: PlacedErrorInfo): string | undefined =>
  typeof value.reason === 'string' ? value.reason : undefined;

/**
 * The ErrorInfo that speaks for A2A: the one with A2A's domain, or else one with a reason of A2A's. An agent may add
 * its own, of other domains, which mean nothing here.
 */
export function a2aErrorInfo({ details }: ErrorView): PlacedErrorInfo | undefined {
  const all = errorInfos(details);
  return (
    all.find(({ value }) => value.domain === errorDomain) ??
    all.find((info) => a2aErrorByReason(reasonOf(info)) !== undefined)
  );
}

/** The `reason` of the ErrorInfo that speaks for A2A. */
export function a2aReason(error: ErrorView): string | undefined {
  const info = a2aErrorInfo(error);
  return info && reasonOf(info);
}
