import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Operation,
  type ProtocolVersion,
} from '@plugfest/model';
import type { HttpExampleExchange } from '../example.ts';
import { legacyCard, modernCard } from './cards.ts';
import { objectOf, present, textOf, untranslatable } from './codec.ts';
import { endpoints, isStreamed, rpcMethods } from './dialect.ts';
import { rowOf } from './errors.ts';
import {
  announcedBy,
  extraHeaders,
  headersFor,
  headersFrom,
  versionHeader,
  withoutVersion,
} from './headers.ts';
import { inlineConfig, legacyMessage, legacyPayload, legacyTask, taskConfig } from './legacy.ts';
import { type Answer, type Call, isPlainText, statusOf, timeOf } from './meaning.ts';
import { type OldestConversation, oldestEvent, oldestParams, oldestResult } from './oldest.ts';

const requestHeaders = (streamed: boolean): Record<string, string> => ({
  'Content-Type': 'application/json',
  ...(streamed ? { Accept: 'text/event-stream' } : {}),
});
const unaryHeaders = { 'Content-Type': 'application/json' } as const;
const streamHeaders = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' } as const;

type Known = readonly [Operation, '0.3' | '1.0'];
const operationBy: ReadonlyMap<Json | undefined, Known> = new Map(
  (['0.3', '1.0'] as const).flatMap((version) =>
    Object.entries(rpcMethods[version]).map(([operation, method]): [string, Known] => [
      method,
      [operation as Operation, version],
    ]),
  ),
);

/** A JSON-RPC call of 1.0 or 0.3; what is read from 0.3 is in 1.0 objects. */
export function readJsonRpc(exchange: HttpExampleExchange): Call {
  const { from, to, at, purpose, request, response } = exchange;
  const { jsonrpc: _usual, id, method, params } = objectOf(request.body);
  const [operation, version] = operationBy.get(method) ?? untranslatable('no method of A2A');
  const streamed = isStreamed(operation);
  const quiet = streamed && request.headers.Accept === undefined;
  const headers = extraHeaders(withoutVersion(request.headers), requestHeaders(streamed && !quiet));
  if (version === '0.3' && request.headers['A2A-Version'] !== undefined) untranslatable('a header of 1.0');
  const canonical = version === '1.0' ? params : modernParams(operation, params);
  const answer = readAnswer(response, id, operation, version);
  const usual = answer.kind === 'stream' ? streamHeaders : answer.kind === 'refusal' ? {} : unaryHeaders;
  return {
    kind: 'call',
    parties: { from, to, ...(at === undefined ? {} : { at }), ...(purpose === undefined ? {} : { purpose }) },
    operation,
    params: canonical === undefined ? undefined : objectOf(canonical),
    announced: version === '1.0' ? announcedBy(request.headers) : undefined,
    headers: headersFrom(headers, version),
    responseHeaders: headersFrom(
      answer.kind === 'refusal' ? (response?.headers ?? {}) : extraHeaders(response?.headers ?? usual, usual),
      version,
    ),
    url: request.url === endpoints.JSONRPC ? undefined : request.url,
    own: { ...(id === undefined ? {} : { id }), ...(quiet ? { quiet } : {}) },
    answer,
  };
}

function readAnswer(
  response: HttpExampleExchange['response'],
  id: Json | undefined,
  operation: Operation,
  version: '0.3' | '1.0',
): Answer {
  if (response === undefined) return { kind: 'none' };
  const { status, sse, body, body_raw: raw, end } = response;
  const modern = (value: Json | undefined): Json | undefined =>
    version === '1.0' ? value : modernResult(operation, value);
  if (sse !== undefined) {
    const items = sse.map((event): JsonObject | string => {
      if ('data' in event) {
        const { result, id: own } = objectOf(event.data);
        if (own !== id) return untranslatable('another id');
        return objectOf(version === '1.0' ? result : legacyPayload.from(result ?? null));
      }
      return 'raw' in event && isPlainText(event.raw) ? event.raw : untranslatable('raw events');
    });
    return {
      kind: 'stream',
      items,
      times: sse.map(({ at }) => at),
      ...statusOf(status),
      end: end ?? 'closed',
    };
  }
  if (end !== undefined) return untranslatable('an answer that is cut off');
  if (raw !== undefined || !isJsonObject(body) || !('jsonrpc' in body)) {
    if (status < 400 || (raw === undefined && body === undefined)) return untranslatable('no envelope');
    return { kind: 'refusal', status, ...(raw === undefined ? present({ body }) : { text: raw }) };
  }
  if (status !== 200) return untranslatable('a status of its own');
  if (isJsonObject(body.error)) {
    const { code, message, data } = body.error;
    if (typeof code !== 'number') return untranslatable('no code');
    return { kind: 'error', error: { code, message: textOf(message), details: data } };
  }
  return { kind: 'result', value: modern(body.result) };
}

/** Writes a call in any version. `oldest` counts for 0.1. */
export function writeJsonRpc(
  call: Call,
  version: ProtocolVersion,
  oldest: OldestConversation,
): HttpExampleExchange {
  const { operation, parties, answer } = call;
  const streamed = isStreamed(operation);
  const method = rpcMethods[version][operation] ?? untranslatable(`${version} has no ${operation}`);
  const { id = 1 } = call.own;
  const params = paramsFor(call, version, oldest);
  return {
    ...parties,
    request: {
      method: 'POST',
      url: call.url ?? endpoints.JSONRPC,
      headers: {
        ...requestHeaders(streamed && call.own.quiet !== true),
        ...versionHeader(call.announced, version),
        ...headersFor(call.headers, version),
      },
      body: { jsonrpc: '2.0', id, method, ...present({ params }) },
    },
    ...writeAnswer(answer, id, call, version, oldest),
  };
}

function writeAnswer(
  answer: Answer,
  id: Json,
  call: Call,
  version: ProtocolVersion,
  oldest: OldestConversation,
): Pick<HttpExampleExchange, 'response'> {
  const envelope = { jsonrpc: '2.0', id };
  const extra = headersFor(call.responseHeaders, version);
  switch (answer.kind) {
    case 'none':
      return {};
    case 'refusal': {
      const { status, body, text } = answer;
      const said = text === undefined ? present({ body }) : { body_raw: text };
      return { response: { status, headers: extra, ...said } };
    }
    case 'error': {
      const { code, message, details } = answer.error;
      rowOf(answer.error, version);
      const error = { code, message, ...present({ data: details }) };
      return {
        response: { status: 200, headers: { ...unaryHeaders, ...extra }, body: { ...envelope, error } },
      };
    }
    case 'result': {
      const result = resultFor(call.operation, answer.value, version, oldest);
      return {
        response: { status: 200, headers: { ...unaryHeaders, ...extra }, body: { ...envelope, result } },
      };
    }
    case 'stream': {
      const event = (item: JsonObject): Json => {
        if (version === '1.0') return item;
        return version === '0.1' ? oldestEvent(item, oldest) : legacyPayload.to(item);
      };
      const sse = answer.items.map((item, index) => ({
        ...(typeof item === 'string' ? { raw: item } : { data: { ...envelope, result: event(item) } }),
        ...timeOf(answer.times[index]),
      }));
      const { status = 200, end } = answer;
      return { response: { status, headers: { ...streamHeaders, ...extra }, sse, end } };
    }
  }
}

/** The object that a send was answered with, wherever it shows its id. */
function answeredObject({ answer }: Call): JsonObject | undefined {
  const shown =
    answer.kind === 'result'
      ? answer.value
      : answer.kind === 'stream'
        ? answer.items.find((item) => typeof item !== 'string')
        : undefined;
  const [payload] = isJsonObject(shown) ? Object.values(shown) : [];
  return isJsonObject(payload) ? payload : undefined;
}

function paramsFor(call: Call, version: ProtocolVersion, oldest: OldestConversation): JsonObject | undefined {
  const { operation, params } = call;
  if (version === '1.0') return params;
  if (version === '0.1') return oldestParams(operation, params ?? {}, answeredObject(call), oldest);
  return legacyParams(operation, params ?? {});
}

function resultFor(
  operation: Operation,
  value: Json | undefined,
  version: ProtocolVersion,
  oldest: OldestConversation,
): Json {
  if (version === '1.0') return value ?? null;
  if (version === '0.1') return oldestResult(operation, value, oldest);
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return legacyPayload.to(value ?? null);
    case 'GetTask':
    case 'CancelTask':
      return legacyTask.to(value ?? null);
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
      return taskConfig.to(value ?? null);
    case 'ListTaskPushNotificationConfigs': {
      const { configs, ...others } = objectOf(value);
      if (!Array.isArray(configs) || (others.nextPageToken ?? '') !== '') return untranslatable('pages');
      return configs.map((config: Json) => taskConfig.to(config));
    }
    case 'DeleteTaskPushNotificationConfig':
      return null;
    case 'GetExtendedAgentCard':
      return legacyCard(objectOf(value), '0.3');
    default:
      return untranslatable(`${version} has no ${operation}`);
  }
}

/** Result of 0.3 in its 1.0 form. */
function modernResult(operation: Operation, value: Json | undefined): Json | undefined {
  switch (operation) {
    case 'SendMessage':
      return legacyPayload.from(value ?? null);
    case 'GetTask':
    case 'CancelTask':
      return legacyTask.from(value ?? null);
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
      return taskConfig.from(value ?? null);
    case 'ListTaskPushNotificationConfigs':
      if (!Array.isArray(value)) return untranslatable('no list');
      return { configs: value.map((config: Json) => taskConfig.from(config)) };
    case 'DeleteTaskPushNotificationConfig':
      return value === null ? undefined : untranslatable('a deletion that returns something');
    case 'GetExtendedAgentCard':
      return modernCard(objectOf(value));
    default:
      return untranslatable(`0.3 has no ${operation}`);
  }
}

interface Change {
  readonly source: '0.3' | '1.0';
  readonly version: ProtocolVersion;
  readonly oldest: OldestConversation;
}

/** Params of one version in another one. `answered` is the call's result, in the source's form. */
export function rpcParams(
  operation: Operation,
  params: JsonObject,
  answered: Json | undefined,
  { source, version, oldest }: Change,
): JsonObject {
  if (isSameForm(source, version)) return params;
  const modern = source === '1.0' ? params : (modernParams(operation, params) ?? {});
  if (version !== '0.1') return legacyParams(operation, modern) ?? {};
  const result = source === '1.0' || !isJsonObject(answered) ? answered : legacyPayload.from(answered);
  const [payload] = isJsonObject(result) ? Object.values(result) : [];
  return oldestParams(operation, modern, isJsonObject(payload) ? payload : undefined, oldest);
}

export function rpcResult(operation: Operation, value: Json, { source, version, oldest }: Change): Json {
  if (isSameForm(source, version)) return value;
  return resultFor(operation, source === '1.0' ? value : modernResult(operation, value), version, oldest);
}

export function rpcEvent(value: JsonObject, { source, version, oldest }: Change): Json {
  if (isSameForm(source, version)) return value;
  const modern = source === '1.0' ? value : objectOf(legacyPayload.from(value));
  return version === '0.1' ? oldestEvent(modern, oldest) : legacyPayload.to(modern);
}

/** 0.2 and 0.3 write the same JSON. */
const isSameForm = (source: '0.3' | '1.0', version: ProtocolVersion): boolean =>
  source === version || (source === '0.3' && version === '0.2');

function legacyParams(operation: Operation, params: JsonObject): JsonObject | undefined {
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage': {
      const { message, configuration, metadata, ...others } = params;
      if (Object.keys(others).length > 0) return untranslatable('params that 0.3 has not');
      const {
        taskPushNotificationConfig: config,
        returnImmediately,
        ...kept
      } = objectOf(configuration ?? {});
      const settings = {
        ...kept,
        ...present({ pushNotificationConfig: config === undefined ? undefined : inlineConfig.to(config) }),
        // Sends block by default in 1.0 and do not in 0.3; a stream has no use for it.
        ...(operation === 'SendMessage' && returnImmediately !== true ? { blocking: true } : {}),
      };
      return present({
        message: message === undefined ? undefined : legacyMessage.to(message),
        configuration: Object.keys(settings).length === 0 ? undefined : settings,
        metadata,
      });
    }
    case 'CreateTaskPushNotificationConfig':
      return objectOf(taskConfig.to(params));
    case 'GetTaskPushNotificationConfig':
    case 'DeleteTaskPushNotificationConfig': {
      const { taskId, id, ...others } = params;
      if (Object.keys(others).length > 0) return untranslatable('params that 0.3 has not');
      return present({ id: taskId, pushNotificationConfigId: id });
    }
    case 'ListTaskPushNotificationConfigs': {
      const { taskId, ...others } = params;
      if (Object.keys(others).length > 0) return untranslatable('params that 0.3 has not');
      return present({ id: taskId });
    }
    case 'GetExtendedAgentCard':
      return Object.keys(params).length === 0 ? undefined : untranslatable('params that 0.3 has not');
    case 'ListTasks':
      return untranslatable('0.3 lists no tasks over JSON-RPC');
    default: {
      const { id, historyLength, metadata, ...others } = params;
      if (Object.keys(others).length > 0) return untranslatable('params that 0.3 has not');
      return present({ id, historyLength, metadata });
    }
  }
}

function modernParams(operation: Operation, value: Json | undefined): JsonObject | undefined {
  if (value === undefined)
    return operation === 'GetExtendedAgentCard' ? undefined : untranslatable('no params');
  const params = objectOf(value);
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage': {
      const { message, configuration, metadata, ...others } = params;
      if (Object.keys(others).length > 0) return untranslatable('params that 0.3 has not');
      const { pushNotificationConfig: config, blocking, ...kept } = objectOf(configuration ?? {});
      const settings = {
        ...kept,
        ...present({
          taskPushNotificationConfig: config === undefined ? undefined : inlineConfig.from(config),
        }),
        ...(operation === 'SendMessage' && blocking !== true ? { returnImmediately: true } : {}),
      };
      return present({
        message: message === undefined ? undefined : legacyMessage.from(message),
        configuration: Object.keys(settings).length === 0 ? undefined : settings,
        metadata,
      });
    }
    case 'CreateTaskPushNotificationConfig':
      return objectOf(taskConfig.from(params));
    case 'GetTaskPushNotificationConfig':
    case 'DeleteTaskPushNotificationConfig': {
      const { id, pushNotificationConfigId, ...others } = params;
      if (Object.keys(others).length > 0) return untranslatable('params that 1.0 has not');
      return present({ taskId: id, id: pushNotificationConfigId });
    }
    case 'ListTaskPushNotificationConfigs': {
      const { id, ...others } = params;
      if (Object.keys(others).length > 0) return untranslatable('params that 1.0 has not');
      return present({ taskId: id });
    }
    default: {
      const { id, historyLength, metadata, ...others } = params;
      if (Object.keys(others).length > 0) return untranslatable('params that 1.0 has not');
      return present({ id, historyLength, metadata });
    }
  }
}
