import type { Edge, ExchangeSummary, Operation } from '@plugfest/model';
import type { AttributeValue, SpanAttributes } from './span.ts';

/**
 * Attribute names are those of the proposed A2A conventions (open-telemetry/semantic-conventions-genai, pull
 * request 195) and of the semantic conventions 1.44 for RPC and HTTP; what only Plugfest knows is `plugfest.*`.
 * Attributes carry ids, codes and sizes, never a text, a body or a query string.
 */
export const schemaUrl = 'https://opentelemetry.io/schemas/1.44.0';

/** An id is the peer's to choose: it is bounded, and control characters are not let through. */
const idLimit = 200;

function safeId(id: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be removed
  const clean = id.replace(/[\u0000-\u001f\u007f]/g, '\uFFFD');
  return clean.length > idLimit ? `${clean.slice(0, idLimit)}…` : clean;
}

/** A code or a name of few values; anything longer or stranger is `_OTHER`, as the conventions have it. */
export function safeToken(token: string): string {
  return /^[\w.:/$-]{1,80}$/.test(token) ? token : '_OTHER';
}

const httpMethods = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'CONNECT', 'TRACE']);
const rpcSystems: Readonly<Record<string, string>> = { JSONRPC: 'jsonrpc', GRPC: 'grpc' };
const streaming: ReadonlySet<Operation> = new Set(['SendStreamingMessage', 'SubscribeToTask']);
const invoking: ReadonlySet<Operation> = new Set(['SendMessage', 'SendStreamingMessage']);

export const isStream = (summary: ExchangeSummary): boolean =>
  (summary.operation !== undefined && streaming.has(summary.operation)) ||
  (summary.binding !== 'GRPC' && summary.events.length > 0);

export function spanName(summary: ExchangeSummary): string {
  const method = httpMethods.has(summary.method) ? summary.method : 'HTTP';
  switch (summary.kind) {
    case 'operation':
      return summary.operation ?? '_OTHER';
    case 'webhook':
      return `${method} webhook`;
    case 'card':
      return `${method} agent card`;
    case 'other':
      return method;
  }
}

/** What went wrong, as a code; undefined where nothing did. A stream that is still open is no error. */
export function errorType(summary: ExchangeSummary): string | undefined {
  const { errorCode, status, end } = summary;
  if (errorCode !== undefined && errorCode !== '0' && errorCode !== 'OK') return safeToken(errorCode);
  if (status !== undefined && status >= 400) return String(status);
  return end === 'complete' || end === 'open' ? undefined : end;
}

type Draft = Record<string, AttributeValue | undefined>;

/** Attributes that both spans of a hop share. */
export function hopAttributes(summary: ExchangeSummary, edge: Edge | undefined): SpanAttributes {
  const [message] = summary.messageIds;
  const [context] = summary.contextIds;
  return compact({
    'plugfest.exchange': summary.id,
    'plugfest.edge': `${summary.caller}→${summary.callee}`,
    'plugfest.caller': summary.caller,
    'plugfest.callee': summary.callee,
    'plugfest.cell': summary.cell,
    'plugfest.kind': summary.kind,
    'plugfest.end': summary.end,
    'plugfest.stream.end': isStream(summary) ? summary.end : undefined,
    'a2a.method.name': summary.operation,
    'a2a.protocol.version': summary.version,
    'a2a.message.id': message === undefined ? undefined : safeId(message),
    'a2a.message.reference_task_ids': listOf(summary.referenceTaskIds),
    ...taskAttributes(summary),
    'gen_ai.conversation.id': context === undefined ? undefined : safeId(context),
    'gen_ai.agent.name': summary.kind === 'operation' ? summary.callee : undefined,
    'gen_ai.operation.name':
      summary.operation !== undefined && invoking.has(summary.operation) ? 'invoke_agent' : undefined,
    ...rpcAttributes(summary),
    'http.request.method': httpMethods.has(summary.method) ? summary.method : '_OTHER',
    'http.request.body.size': summary.requestBytes,
    'http.response.status_code': summary.status,
    'http.response.body.size': summary.responseBytes,
    ...serverAttributes(edge),
    'error.type': errorType(summary),
  });
}

/** One task has an id and a state; a list of tasks has ids only. */
function taskAttributes(summary: ExchangeSummary): Draft {
  const [task, ...more] = summary.taskIds;
  if (task === undefined) return {};
  if (more.length > 0) return { 'plugfest.task.ids': listOf(summary.taskIds) };
  return { 'a2a.task.id': safeId(task), 'a2a.task.state': summary.state };
}

function rpcAttributes(summary: ExchangeSummary): Draft {
  const system = rpcSystems[summary.binding ?? ''];
  if (system === undefined) return { 'plugfest.binding': summary.binding };
  const { wireMethod, operation, errorCode } = summary;
  const method = wireMethod === undefined ? undefined : safeToken(wireMethod).replace(/^\//, '');
  const known = operation !== undefined;
  return {
    'plugfest.binding': summary.binding,
    'rpc.system.name': system,
    'rpc.method': method === undefined || known ? method : '_OTHER',
    'rpc.method_original': known || method === '_OTHER' ? undefined : method,
    'rpc.status_code': errorCode === undefined ? undefined : safeToken(errorCode),
  };
}

function serverAttributes(edge: Edge | undefined): Draft {
  const url = edge?.upstream === undefined ? null : URL.parse(edge.upstream);
  if (url === null) return {};
  const fallback = url.protocol === 'https:' ? 443 : 80;
  return { 'server.address': url.hostname, 'server.port': url.port === '' ? fallback : Number(url.port) };
}

const listLimit = 32;

const listOf = (ids: readonly string[]): readonly string[] | undefined =>
  ids.length === 0 ? undefined : ids.slice(0, listLimit).map(safeId);

/** Keeps what has a value, with names in alphabetical order. */
export function compact(draft: Draft): SpanAttributes {
  const entries = Object.entries(draft).filter(
    (entry): entry is [string, AttributeValue] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
