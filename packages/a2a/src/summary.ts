import { hash } from 'node:crypto';
import {
  type ExchangeSummary,
  header,
  headerValues,
  isJsonObject,
  type Json,
  parseTraceparent,
  registeredTarget,
  type TaskState,
} from '@plugfest/model';
import type { DecodedExchange, ErrorView, MessageView, PartView, Payload } from './decoded.ts';

const digestMinimum = 16;
/** How many strings of a data part are digested: an agent that is told what to say is told it in few of them. */
const dataStrings = 32;

/** SHA-256 of a text with white space runs made one and outer space removed; undefined for short texts. */
function textDigest(text: string): string | undefined {
  const normal = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  return normal.length < digestMinimum ? undefined : hash('sha256', normal, 'hex');
}

/** The strings within a JSON value, in document order, without the names of members. */
function* stringsIn(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const element of value) yield* stringsIn(element);
  else if (isJsonObject(value)) for (const member of Object.values(value)) yield* stringsIn(member);
}

/** A secret by which equality can be told: redacted tokens as they are, anything else as a digest. */
function secretToken(secret: string): string {
  return secret.startsWith('‹') ? secret : `sha256:${hash('sha256', secret, 'hex')}`;
}

/** The part of an `Authorization` value that is the secret: without its scheme. */
function credentialsOf(authorization: string): string {
  const space = authorization.indexOf(' ');
  return space === -1 ? authorization : authorization.slice(space + 1).trim();
}

const tokenHeaders = ['x-a2a-notification-token', 'a2a-notification-token'] as const;

class Ids {
  readonly tasks = new Set<string>();
  readonly contexts = new Set<string>();
  readonly messages = new Set<string>();
  readonly references = new Set<string>();
  readonly pushTokens = new Set<string>();
  readonly pushUrls = new Set<string>();
  readonly digests = new Set<string>();

  private task(id: string | undefined): void {
    if (id !== undefined && id !== '') this.tasks.add(id);
  }

  private context(id: string | undefined): void {
    if (id !== undefined && id !== '') this.contexts.add(id);
  }

  private parts(parts: readonly PartView[]): void {
    for (const { kind, text, value } of parts) {
      const texts = kind === 'data' ? stringsIn(value).take(dataStrings) : text === undefined ? [] : [text];
      for (const each of texts) {
        const digest = textDigest(each);
        if (digest !== undefined) this.digests.add(digest);
      }
    }
  }

  private message(message: MessageView, requested: boolean): void {
    this.task(message.taskId);
    this.context(message.contextId);
    if (requested && message.messageId !== undefined) this.messages.add(message.messageId);
    for (const id of message.referenceTaskIds) this.references.add(id);
    this.parts(message.parts);
  }

  payload(payload: Payload): void {
    const requested = payload.side === 'request';
    switch (payload.kind) {
      case 'message':
        this.message(payload.message, requested);
        break;
      case 'task': {
        const { task } = payload;
        this.task(task.id);
        this.context(task.contextId);
        if (task.status.message) this.parts(task.status.message.parts);
        for (const artifact of task.artifacts ?? []) this.parts(artifact.parts);
        break;
      }
      case 'statusUpdate':
        this.task(payload.update.taskId);
        this.context(payload.update.contextId);
        if (payload.update.status.message) this.parts(payload.update.status.message.parts);
        break;
      case 'artifactUpdate':
        this.task(payload.update.taskId);
        this.context(payload.update.contextId);
        if (payload.update.artifact) this.parts(payload.update.artifact.parts);
        break;
      case 'pushConfig': {
        const { taskId, url, token, credentials } = payload.config;
        this.task(taskId);
        if (requested && url !== undefined) this.pushUrls.add(url);
        for (const secret of [token, credentials]) {
          if (secret !== undefined && secret !== '') this.pushTokens.add(secretToken(secret));
        }
        break;
      }
      case 'card':
    }
  }

  /** Ids in the input of operations that carry no protocol object. */
  params({ kind, operation, dialect, request }: DecodedExchange): void {
    const { params } = request;
    if (kind !== 'operation' || !isJsonObject(params)) return;
    if (typeof params.contextId === 'string') this.context(params.contextId);
    if (typeof params.taskId === 'string') this.task(params.taskId);
    if (typeof params.id !== 'string') return;
    switch (operation) {
      case 'GetTask':
      case 'CancelTask':
      case 'SubscribeToTask':
        this.task(params.id);
        break;
      case 'SendMessage':
      case 'SendStreamingMessage':
        // The client chooses the task id in 0.1.
        if (dialect?.version !== '0.1') break;
        this.task(params.id);
        if (typeof params.sessionId === 'string') this.context(params.sessionId);
        break;
      case 'CreateTaskPushNotificationConfig':
      case 'GetTaskPushNotificationConfig':
      case 'ListTaskPushNotificationConfigs':
      case 'DeleteTaskPushNotificationConfig':
        // JSON-RPC of 0.x names the task `id`; in 1.0, and in HTTP+JSON, that is the configuration.
        if (dialect?.version !== '1.0' && dialect?.binding === 'JSONRPC') this.task(params.id);
        break;
      default:
    }
  }

  delivery({ captured }: DecodedExchange): void {
    const { headers, forwardedHeaders } = captured.request;
    const registered = registeredTarget(captured.changes);
    const target = registered ?? captured.request.target;
    const named = registered === undefined ? headers : (forwardedHeaders ?? headers);
    const host = header(named, 'host') ?? header(named, ':authority');
    const { upstream } = captured.edge;
    if (!target.startsWith('/')) this.pushUrls.add(target);
    else {
      if (upstream !== undefined) this.pushUrls.add(`${upstream.replace(/\/$/, '')}${target}`);
      // Whether it came over TLS is not part of a request; the registered URL may say https.
      if (host !== undefined) this.pushUrls.add(`http://${host}${target}`);
    }
    for (const name of tokenHeaders) {
      for (const value of headerValues(headers, name)) this.pushTokens.add(secretToken(value));
    }
    const authorization = header(headers, 'authorization');
    if (authorization !== undefined) this.pushTokens.add(secretToken(credentialsOf(authorization)));
  }
}

function stateOf(payload: Payload): TaskState | undefined {
  if (payload.kind === 'task') return payload.task.status.state;
  return payload.kind === 'statusUpdate' ? payload.update.status.state : undefined;
}

function errorCode(error: ErrorView | undefined): string | undefined {
  if (error === undefined) return undefined;
  const reason = error.errorInfo?.reason;
  return typeof reason === 'string' ? reason : error.code === undefined ? error.name : String(error.code);
}

/** What linking and tracing need of a decoded exchange. */
export function summarise(decoded: DecodedExchange): ExchangeSummary {
  const { captured, dialect, operation, wireMethod, response } = decoded;
  const { request, edge, cell, end } = captured;
  const ids = new Ids();
  ids.params(decoded);
  for (const payload of decoded.payloads) ids.payload(payload);
  if (decoded.kind === 'webhook') ids.delivery(decoded);

  const ofEvent = new Map<number, Payload>();
  let state: TaskState | undefined;
  for (const payload of decoded.payloads) {
    state = stateOf(payload) ?? state;
    if (payload.event !== undefined && !ofEvent.has(payload.event)) ofEvent.set(payload.event, payload);
  }
  const events = (response?.events ?? []).map(({ index, atNs, error }) => {
    const payload = ofEvent.get(index);
    const eventState = payload && stateOf(payload);
    return {
      atNs,
      kind: payload?.kind ?? (error === undefined ? 'unknown' : 'error'),
      ...(eventState === undefined ? {} : { state: eventState }),
    };
  });
  const error = response?.error ?? response?.events?.findLast((event) => event.error !== undefined)?.error;
  const code = errorCode(error);
  const traceparent = header(request.headers, 'traceparent');
  const tracestate = header(request.headers, 'tracestate');
  const forwarded = request.forwardedHeaders && header(request.forwardedHeaders, 'traceparent');
  const seen = [
    request.atNs,
    request.body.chunks.at(-1)?.atNs,
    request.body.endedAtNs,
    captured.response?.atNs,
    captured.response?.body.chunks.at(-1)?.atNs,
    captured.response?.body.endedAtNs,
    end.atNs,
  ];
  return {
    id: captured.id,
    seq: captured.seq,
    ...(cell === undefined ? {} : { cell }),
    caller: edge.caller,
    callee: edge.callee,
    edgeKind: edge.kind,
    kind: decoded.kind,
    method: request.method,
    target: request.target,
    ...(operation === undefined ? {} : { operation }),
    ...(wireMethod === undefined ? {} : { wireMethod }),
    ...(dialect === undefined ? {} : { binding: dialect.binding, version: dialect.version }),
    startNs: request.atNs,
    ...(captured.response === undefined ? {} : { responseNs: captured.response.atNs }),
    endNs: Math.max(...seen.map((atNs) => atNs ?? 0)),
    end: end.kind,
    ...(captured.response === undefined ? {} : { status: captured.response.status }),
    ...(code === undefined ? {} : { errorCode: code }),
    requestBytes: request.body.totalBytes,
    responseBytes: captured.response?.body.totalBytes ?? 0,
    events,
    taskIds: [...ids.tasks],
    contextIds: [...ids.contexts],
    messageIds: [...ids.messages],
    referenceTaskIds: [...ids.references],
    pushTokens: [...ids.pushTokens],
    pushUrls: [...ids.pushUrls],
    partDigests: [...ids.digests],
    ...(state === undefined ? {} : { state }),
    ...(parseTraceparent(traceparent) === undefined || traceparent === undefined ? {} : { traceparent }),
    ...(tracestate === undefined ? {} : { tracestate }),
    ...(forwarded === undefined || forwarded === traceparent ? {} : { forwardedTraceparent: forwarded }),
  };
}
