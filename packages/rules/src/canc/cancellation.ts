import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';

/** The task that a cancel names; undefined for other operations. */
export function cancelledTask({ operation, request }: DecodedExchange): string | undefined {
  if (operation !== 'CancelTask' || !isJsonObject(request.params)) return undefined;
  const { id } = request.params;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
