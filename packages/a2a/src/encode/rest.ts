import type { Json, JsonObject } from '@plugfest/model';
import { isStreaming, operationNames } from '../operations.ts';
import { withoutTrailingSlashes } from '../trailing-slashes.ts';
import { legacyProtoParams } from './legacy-proto.ts';
import type { EncodedRequest, RequestSpec } from './spec.ts';

const segment = (value: Json | undefined): string =>
  encodeURIComponent(typeof value === 'string' ? value : '');

/** Query form of a value (A2A 1.0 section 11.5); nested objects have none. */
function queryText(value: Json): string | undefined {
  if (value === null || typeof value === 'object') return undefined;
  return String(value);
}

/** What of the request message the body has: what the path does not say (proto annotations: `body: "*"`). */
function bodyOf({ dialect, operation }: RequestSpec, params: JsonObject, rest: JsonObject): Json {
  if (dialect.version === '1.0') return rest;
  const { name: _name, parent: _parent, ...legacy } = legacyProtoParams(operation, params);
  // The one call whose annotation says `body: "config"`.
  return operation === 'CreateTaskPushNotificationConfig' ? (legacy.config ?? {}) : legacy;
}

/**
 * A call over HTTP+JSON: 1.0 (section 11), or 0.3 in the form that its proto transcodes to (0.3 section 3.2.3). Inputs
 * of GET and DELETE go into path and query only.
 */
export function encodeRest(spec: RequestSpec): EncodedRequest {
  const { dialect, operation } = spec;
  const route = operationNames(operation).rest[dialect.version];
  if (route === undefined) throw new Error(`${operation} has no HTTP+JSON form in ${dialect.version}`);
  const given: JsonObject = spec.params ?? {};
  const { tenant: ownTenant, ...params } = given;
  const modern = dialect.version === '1.0';
  const tenant = !modern ? undefined : typeof ownTenant === 'string' ? ownTenant : spec.tenant;
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
  const body = withBody ? JSON.stringify(bodyOf(spec, params, rest)) : undefined;
  const media = modern ? 'application/a2a+json' : 'application/json';
  return {
    method: route.verb,
    url: `${base}${prefix}${path}${search === '' ? '' : `?${search}`}`,
    headers: {
      ...(body === undefined ? {} : { 'content-type': media }),
      accept: isStreaming(operation)
        ? 'text/event-stream'
        : modern
          ? 'application/a2a+json, application/json'
          : 'application/json',
      // 0.3 has no version header (A2A 1.0 section 3.6.2 reads its absence as 0.3).
      ...(modern ? { 'a2a-version': '1.0' } : {}),
    },
    body,
  };
}
