import { isJsonObject, type Operation } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { onceForEachIn } from '../last-exchange.ts';
import { isOnDeclaredPath } from './base-path.ts';

/** How a client called an operation over HTTP+JSON, right or wrong. */
export interface CalledRoute {
  readonly operation: Operation;
  readonly verb: string;
  /** The verb and the path fit a route of A2A. */
  readonly right: boolean;
}

/** Verbs of each operation; a subscription may come either way, because prose and proto differ (section 11.3.2). */
const verbs: Readonly<Record<Operation, readonly string[]>> = {
  SendMessage: ['POST'],
  SendStreamingMessage: ['POST'],
  GetTask: ['GET'],
  ListTasks: ['GET'],
  CancelTask: ['POST'],
  SubscribeToTask: ['POST', 'GET'],
  CreateTaskPushNotificationConfig: ['POST'],
  GetTaskPushNotificationConfig: ['GET'],
  ListTaskPushNotificationConfigs: ['GET'],
  DeleteTaskPushNotificationConfig: ['DELETE'],
  GetExtendedAgentCard: ['GET'],
};

/** Paths that miss a route of A2A and leave no doubt which one is meant: slashes for colons, JSON-RPC names. */
const astray: readonly (readonly [Operation, RegExp])[] = [
  [
    'SendStreamingMessage',
    /\/(?:messages?\/|messages:|tasks[/:])(?:stream|sendStream|sendStreaming|sendSubscribe)$/i,
  ],
  ['SendMessage', /\/(?:messages?\/|messages:|tasks[/:])send$/i],
  ['ListTasks', /\/tasks[/:]list$/i],
  ['GetTask', /\/tasks[/:]get$/i],
  ['CancelTask', /\/tasks?\/[^/]+\/cancel$|\/tasks[/:]cancel$/i],
  ['SubscribeToTask', /\/tasks?\/[^/]+\/(?:re)?subscribe$|\/tasks[/:](?:re)?subscribe$/i],
  ['CreateTaskPushNotificationConfig', /\/tasks?\/[^/]+\/pushNotifications?(?:Config)?(?:\/set)?$/i],
];

/** The path of push configs as a typing error of the 0.3 proto has it. */
const singular = /\/task\/[^/]+\/pushNotificationConfigs(?:\/[^/]+)?$/;

/** Operations whose paths other services have as well: there a strange verb says nothing by itself. */
const common: ReadonlySet<Operation> = new Set<Operation>(['GetTask', 'ListTasks']);

/** The operation that a client wants to call with this HTTP request; undefined where it is no HTTP+JSON call. */
export const calledRoute = onceForEachIn((exchange, conversation: Conversation): CalledRoute | undefined => {
  const { dialect, operation, request, captured } = exchange;
  const { method: verb } = captured.request;
  const { path } = request;
  if (dialect?.binding === 'HTTP+JSON') {
    const meant = verb === 'POST' && request.a2aVersion !== undefined ? strayOperation(path) : undefined;
    if (meant !== undefined) return { operation: meant, verb, right: false };
    if (operation === undefined) return undefined;
    const right = verbs[operation].includes(verb) && !singular.test(path.slice(-512));
    const certain =
      !common.has(operation) || request.a2aVersion !== undefined || isOnDeclaredPath(exchange, conversation);
    return right || certain ? { operation, verb, right } : undefined;
  }
  // A body without envelope at a path like these is no JSON-RPC call gone wrong, but an HTTP+JSON call.
  const { value } = request.json;
  const bare = isJsonObject(value) && !('jsonrpc' in value) && typeof value.method !== 'string';
  const meant = dialect?.binding === 'JSONRPC' && bare ? strayOperation(path) : undefined;
  return meant && { operation: meant, verb, right: false };
});

/** Paths that were asked about: most calls go to a few. */
const known = new Map<string, Operation | undefined>();
const mostKnown = 256;

function strayOperation(path: string): Operation | undefined {
  const end = path.slice(-512);
  if (known.has(end)) return known.get(end);
  const operation = astray.find(([, pattern]) => pattern.test(end))?.[0];
  if (known.size >= mostKnown) known.clear();
  known.set(end, operation);
  return operation;
}
