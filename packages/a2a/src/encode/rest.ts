import type { Json, JsonObject } from '@plugfest/model';
import { isStreaming, operationNames } from '../operations.ts';
import { withoutTrailingSlashes } from '../trailing-slashes.ts';
import type { EncodedRequest, RequestSpec } from './spec.ts';

const segment = (value: Json | undefined): string =>
  encodeURIComponent(typeof value === 'string' ? value : '');

/** Query form of a value (A2A 1.0 section 11.5); nested objects have none. */
function queryText(value: Json): string | undefined {
  if (value === null || typeof value === 'object') return undefined;
  return String(value);
}

/** A call over HTTP+JSON 1.0 (section 11). Inputs of GET and DELETE go into path and query only. */
export function encodeRest(spec: RequestSpec): EncodedRequest {
  const { dialect, operation } = spec;
  const route = operationNames(operation).rest[dialect.version];
  if (route === undefined) throw new Error(`${operation} has no HTTP+JSON form in ${dialect.version}`);
  const given: JsonObject = spec.params ?? {};
  const { tenant: ownTenant, ...params } = given;
  const tenant = typeof ownTenant === 'string' ? ownTenant : spec.tenant;
  const ofConfig = route.path.includes('/pushNotificationConfigs');
  const taskMember = ofConfig ? 'taskId' : 'id';
  const inPath = new Set<string>();
  if (route.path.includes('{id}')) inPath.add(taskMember);
  if (route.path.includes('{configId}')) inPath.add('id');
  const path = route.path
    .replace('{id}', () => segment(params[taskMember]))
    .replace('{configId}', () => segment(params.id));
  const mark = spec.baseUrl.indexOf('?');
  const base = withoutTrailingSlashes(mark === -1 ? spec.baseUrl : spec.baseUrl.slice(0, mark));
  const query = new URLSearchParams(mark === -1 ? '' : spec.baseUrl.slice(mark));
  const rest = Object.fromEntries(Object.entries(params).filter(([name]) => !inPath.has(name)));
  const withBody = route.verb === 'POST' && operation !== 'SubscribeToTask';
  if (!withBody) {
    for (const [name, value] of Object.entries(rest)) {
      const text = queryText(value);
      if (text !== undefined) query.append(name, text);
    }
  }
  const search = query.toString().replaceAll('+', '%20');
  const prefix = tenant === undefined ? '' : `/${encodeURIComponent(tenant)}`;
  // The body is the request message without what the path says (proto annotations: `body: "*"`).
  const body = withBody ? JSON.stringify(rest) : undefined;
  return {
    method: route.verb,
    url: `${base}${prefix}${path}${search === '' ? '' : `?${search}`}`,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/a2a+json' }),
      accept: isStreaming(operation) ? 'text/event-stream' : 'application/a2a+json, application/json',
      'a2a-version': '1.0',
    },
    body,
  };
}
