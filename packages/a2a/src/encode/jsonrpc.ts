import type { JsonObject } from '@plugfest/model';
import { isStreaming, wireMethodOf } from '../operations.ts';
import { legacyParams } from './legacy.ts';
import type { EncodedRequest, RequestSpec } from './spec.ts';

/** A call over JSON-RPC, 1.0 (section 9) or 0.3 (section 7). */
export function encodeJsonRpc(spec: RequestSpec): EncodedRequest {
  const { dialect, operation, tenant } = spec;
  const method = wireMethodOf(dialect, operation);
  const modern = dialect.version === '1.0';
  const given: JsonObject = spec.params ?? {};
  const params = modern
    ? tenant === undefined
      ? given
      : { tenant, ...given }
    : legacyParams(operation, given);
  return {
    method: 'POST',
    url: spec.baseUrl,
    headers: {
      'content-type': 'application/json',
      accept: isStreaming(operation) ? 'text/event-stream' : 'application/json',
      // 0.3 has no version header (A2A 1.0 section 3.6.2 reads its absence as 0.3).
      ...(modern ? { 'a2a-version': '1.0' } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: spec.id, method, params }),
  };
}
