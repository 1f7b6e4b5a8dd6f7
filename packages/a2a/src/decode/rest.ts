import { isJsonObject, type Json, type JsonObject, type Operation } from '@plugfest/model';
import type { PeerContext, RestPath } from '../dialect.ts';
import { percentDecode, type Target } from '../target.ts';

/** An HTTP+JSON path of A2A, recognised by its end, because base paths are free. */
export interface RestCall extends RestPath {
  /** Undefined for a custom verb that A2A does not have (`/tasks/{id}:foo`). */
  readonly operation: Operation | undefined;
  /** The path below the base with placeholders, `/v1` included. */
  readonly pattern: string;
  readonly taskId?: string;
  readonly configId?: string;
  /** False for paths that other services have as well (`/tasks`): a JSON-RPC body there is JSON-RPC. */
  readonly distinctive: boolean;
}

interface Tail {
  readonly operation: Operation | undefined;
  readonly pattern: string;
  /** Segments that belong to the operation. */
  readonly segments: number;
  readonly taskId?: string | undefined;
  readonly configId?: string | undefined;
  readonly distinctive: boolean;
}

/** Operation by verb, where one path serves several; a wrong verb still names the path's main operation. */
const configCollection = (verb: string): Operation =>
  verb === 'POST' ? 'CreateTaskPushNotificationConfig' : 'ListTaskPushNotificationConfigs';
const configItem = (verb: string): Operation =>
  verb === 'DELETE' ? 'DeleteTaskPushNotificationConfig' : 'GetTaskPushNotificationConfig';

const isTasks = (segment: string | undefined): boolean => segment === 'tasks' || segment === 'task';

function tailOf(verb: string, segments: readonly string[]): Tail | undefined {
  // A colon may come percent-encoded, where it is no part of an id.
  const last = (segments.at(-1) ?? '').replace(/^message%3a(send|stream)$/i, 'message:$1');
  const before = segments.at(-2);
  if (last === 'message:send' || last === 'message:stream') {
    const operation = last === 'message:send' ? 'SendMessage' : 'SendStreamingMessage';
    return { operation, pattern: `/${last}`, segments: 1, distinctive: true };
  }
  if (last === 'extendedAgentCard') {
    return { operation: 'GetExtendedAgentCard', pattern: `/${last}`, segments: 1, distinctive: true };
  }
  if (last === 'card' && before === 'v1') {
    return { operation: 'GetExtendedAgentCard', pattern: '/card', segments: 1, distinctive: false };
  }
  if (last === 'authenticatedExtendedCard' && before === 'agent') {
    return { operation: 'GetExtendedAgentCard', pattern: `/agent/${last}`, segments: 2, distinctive: true };
  }
  if (last === 'pushNotificationConfigs' && before !== undefined && isTasks(segments.at(-3))) {
    const operation = configCollection(verb);
    return { operation, pattern: `/tasks/{id}/${last}`, segments: 3, taskId: before, distinctive: true };
  }
  if (before === 'pushNotificationConfigs' && isTasks(segments.at(-4))) {
    return {
      operation: configItem(verb),
      pattern: `/tasks/{id}/${before}/{configId}`,
      segments: 4,
      taskId: segments.at(-3),
      configId: last,
      distinctive: true,
    };
  }
  if (before === 'tasks') {
    const colon = last.lastIndexOf(':');
    const custom = colon === -1 ? '' : last.slice(colon + 1);
    if (custom === 'cancel' || custom === 'subscribe') {
      return {
        operation: custom === 'cancel' ? 'CancelTask' : 'SubscribeToTask',
        pattern: `/tasks/{id}:${custom}`,
        segments: 2,
        taskId: last.slice(0, colon),
        distinctive: true,
      };
    }
    if (custom !== '' && verb === 'POST') {
      return {
        operation: undefined,
        pattern: '/tasks/{id}:{verb}',
        segments: 2,
        taskId: last,
        distinctive: false,
      };
    }
    return { operation: 'GetTask', pattern: '/tasks/{id}', segments: 2, taskId: last, distinctive: false };
  }
  return last === 'tasks'
    ? { operation: 'ListTasks', pattern: '/tasks', segments: 1, distinctive: false }
    : undefined;
}

/** Recognises an HTTP+JSON call of 0.3 or 1.0 (A2A 1.0 section 5.3, 0.3 section 3.5.6); undefined where it is none. */
export function restRoute(verb: string, path: string): RestCall | undefined {
  const segments = path.split('/');
  const tail = tailOf(verb, segments);
  if (tail === undefined) return undefined;
  const prefix = segments.slice(0, -tail.segments);
  const v1 = prefix.at(-1) === 'v1';
  if (v1) prefix.pop();
  return {
    operation: tail.operation,
    pattern: v1 ? `/v1${tail.pattern}` : tail.pattern,
    base: prefix.join('/'),
    v1,
    legacyCard: tail.segments === 2 && tail.operation === 'GetExtendedAgentCard',
    distinctive: tail.distinctive,
    ...(tail.taskId === undefined ? {} : { taskId: percentDecode(tail.taskId) }),
    ...(tail.configId === undefined ? {} : { configId: percentDecode(tail.configId) }),
  };
}

/** The tenant in a path, where the peer's base paths are known (A2A 1.0 section 11.3: `/{tenant}/…`). */
function tenantOf(route: RestCall, peer: PeerContext | undefined): string | undefined {
  const bases = peer?.basePaths;
  const whole = route.v1 ? `${route.base}/v1` : route.base;
  if (bases === undefined || bases.includes(route.base) || bases.includes(whole)) return undefined;
  const slash = route.base.lastIndexOf('/');
  return slash !== -1 && bases.includes(route.base.slice(0, slash))
    ? percentDecode(route.base.slice(slash + 1))
    : undefined;
}

function queryValue(name: string, value: string): Json {
  if (name === 'historyLength' || name === 'pageSize') {
    return /^-?\d{1,10}$/.test(value) ? Number(value) : value;
  }
  if (name === 'includeArtifacts' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** Names of the path parameters in each operation's 1.0 request message. */
function pathParams(route: RestCall): Record<string, Json> {
  const params: Record<string, Json> = {};
  const ofConfig = route.pattern.includes('/pushNotificationConfigs');
  if (route.taskId !== undefined) params[ofConfig ? 'taskId' : 'id'] = route.taskId;
  if (route.configId !== undefined) params.id = route.configId;
  return params;
}

/**
 * Body, path and query of an HTTP+JSON call as one object under the 1.0 names; the path wins over the query, the
 * query over the body. A body that is no object and nothing else to merge comes back as it is.
 */
export function restParams(
  route: RestCall,
  query: Target['query'],
  body: Json | undefined,
  peer: PeerContext | undefined,
): Json | undefined {
  const fromPath = pathParams(route);
  const tenant = tenantOf(route, peer);
  if (tenant !== undefined) fromPath.tenant = tenant;
  const fromQuery: [string, Json][] = [];
  for (const [name, value] of query) {
    if (name.toLowerCase() !== 'a2a-version') fromQuery.push([name, queryValue(name, value)]);
  }
  if (Object.keys(fromPath).length === 0 && fromQuery.length === 0) return body;
  const fromBody: JsonObject = isJsonObject(body) ? body : {};
  return { ...fromBody, ...Object.fromEntries(fromQuery), ...fromPath };
}
