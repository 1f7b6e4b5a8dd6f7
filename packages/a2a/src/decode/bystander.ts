import { header, isJsonObject, type Json } from '@plugfest/model';
import { shapeVersion } from '../shape.ts';
import { looksLikeCard } from '../views/card.ts';
import type { ReadResponse } from './response.ts';
import type { RestCall } from './rest.ts';
import type { Wire } from './wire.ts';

/** Methods that both protocols have. */
const sharedMethod = /^tasks\/(?:get|list|cancel)$/;

const mcpHeaders = ['mcp-protocol-version', 'mcp-session-id'] as const;

/**
 * A call of the Model Context Protocol, which agents often serve beside A2A, by a method that A2A has as well. Its headers
 * tell them apart; what its other methods are, their names say.
 */
export function isOfMcp({ captured, a2aVersion, json }: Wire): boolean {
  const { value } = json;
  if (a2aVersion !== undefined || !isJsonObject(value) || typeof value.method !== 'string') return false;
  const { headers } = captured.request;
  return sharedMethod.test(value.method) && mcpHeaders.some((name) => header(headers, name) !== undefined);
}

/** What A2A answers at the paths that others have as well: a task, a list of them, a card, or an error. */
function isOfA2A(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false;
  if (isJsonObject(value.error) || 'jsonrpc' in value) return true;
  if (Array.isArray(value.tasks) || Array.isArray(value.configs)) return true;
  const hasState = isJsonObject(value.status) && 'state' in value.status;
  return hasState || looksLikeCard(value) || shapeVersion(value) !== undefined;
}

/**
 * `/tasks` is a path of many services. Where neither client nor server shows a sign of A2A, and no card has its interface
 * there, it is one of theirs. 1.0 announces itself in a header; of 0.3 `/v1` is a sign as long as there is no card.
 */
export function isOfOthers(wire: Wire, route: RestCall, raw: ReadResponse | undefined): boolean {
  if (route.distinctive || wire.a2aVersion !== undefined || raw === undefined) return false;
  const declared = wire.peer?.basePaths;
  // A client of 0.3 that takes a wrong URL finds nobody there.
  if (route.v1 && (declared === undefined || raw.status >= 300)) return false;
  if (declared?.includes(route.base) === true || declared?.includes(`${route.base}/v1`) === true)
    return false;
  const { headers } = wire.captured.request;
  if (header(headers, 'a2a-extensions') !== undefined || wire.mediaType === 'application/a2a+json')
    return false;
  const { state, value } = raw.json;
  if (state === 'truncated' || state === 'too-large') return false;
  if (raw.mediaType === 'application/a2a+json' || raw.events !== undefined) return false;
  return !isOfA2A(value) && !isOfA2A(wire.json.value);
}
