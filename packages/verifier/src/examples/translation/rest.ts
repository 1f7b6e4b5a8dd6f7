import { isJsonObject, type Json, type JsonObject, type Operation } from '@plugfest/model';
import type { HttpExampleExchange } from '../example.ts';
import { transcodedCard } from './cards.ts';
import { objectOf, present, textOf, untranslatable } from './codec.ts';
import { endpoints, isStreamed } from './dialect.ts';
import { codeOf, rowOf, typedDetails } from './errors.ts';
import { announcedBy, extraHeaders, headersFor, versionHeader, withoutVersion } from './headers.ts';
import { type Answer, type Call, isPlainText, statusOf, timeOf } from './meaning.ts';
import { transcodedEvent, transcodedParams, transcodedResult } from './transcoded.ts';

type Version = '0.3' | '1.0';

interface Route {
  readonly verb: 'GET' | 'POST' | 'DELETE';
  /** `{id}` and `{taskId}` are members of the 1.0 request message. */
  readonly path: string;
}

/** A2A 1.0 section 5.3; 0.3 section 3.5.6 has the same but for the card, below `/v1`. */
const routes: Readonly<Record<Operation, Route>> = {
  SendMessage: { verb: 'POST', path: '/message:send' },
  SendStreamingMessage: { verb: 'POST', path: '/message:stream' },
  GetTask: { verb: 'GET', path: '/tasks/{id}' },
  ListTasks: { verb: 'GET', path: '/tasks' },
  CancelTask: { verb: 'POST', path: '/tasks/{id}:cancel' },
  SubscribeToTask: { verb: 'POST', path: '/tasks/{id}:subscribe' },
  CreateTaskPushNotificationConfig: { verb: 'POST', path: '/tasks/{taskId}/pushNotificationConfigs' },
  GetTaskPushNotificationConfig: { verb: 'GET', path: '/tasks/{taskId}/pushNotificationConfigs/{id}' },
  ListTaskPushNotificationConfigs: { verb: 'GET', path: '/tasks/{taskId}/pushNotificationConfigs' },
  DeleteTaskPushNotificationConfig: { verb: 'DELETE', path: '/tasks/{taskId}/pushNotificationConfigs/{id}' },
  GetExtendedAgentCard: { verb: 'GET', path: '/extendedAgentCard' },
};

const queryTypes: Readonly<Record<string, 'number' | 'boolean' | 'string'>> = {
  historyLength: 'number',
  pageSize: 'number',
  includeArtifacts: 'boolean',
  contextId: 'string',
  status: 'string',
  pageToken: 'string',
  statusTimestampAfter: 'string',
};

const mediaTypes: Readonly<Record<Version, string>> = {
  '0.3': 'application/json',
  '1.0': 'application/a2a+json',
};
const streamHeaders = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' } as const;

function usualHeaders(hasBody: boolean, streamed: boolean, version: Version): Record<string, string> {
  return {
    ...(hasBody ? { 'Content-Type': mediaTypes[version] } : {}),
    ...(streamed ? { Accept: 'text/event-stream' } : {}),
  };
}

const escapedName = (path: string): string => path.replaceAll('.', '\\.');
const patterns = Object.entries(routes).map(
  ([operation, { path }]) =>
    [
      operation as Operation,
      new RegExp(
        `^(.*?)${escapedName(path)
          .replaceAll('/', '\\/')
          .replace(/\{(\w+)\}/g, '(?<$1>[^/:?]+)')}$`,
      ),
    ] as const,
);

/** A 1.0 HTTP+JSON call; undefined where it is no such thing. */
export function readRest(exchange: HttpExampleExchange): Call | undefined {
  const { from, to, at, purpose, request, response } = exchange;
  const [address = '', query = ''] = request.url.split('?', 2);
  const { body, method: verb } = request;
  const candidates = patterns.flatMap(([operation, pattern]) => {
    const match = pattern.exec(address);
    const fits = routes[operation].verb === verb || operation === 'SubscribeToTask';
    return match === null || !fits ? [] : [{ operation, match }];
  });
  const [found] = candidates;
  if (found === undefined) return undefined;
  const { operation, match } = found;
  const prefix = match[1] ?? '';
  const base = endpoints['HTTP+JSON'];
  const inBase = prefix === base || prefix.startsWith(`${base}/`);
  const tenant = inBase && prefix !== base ? prefix.slice(base.length + 1) : undefined;
  const params: Record<string, Json> = { ...(body === undefined ? {} : objectOf(body)) };
  for (const [name, value] of Object.entries(match.groups ?? {})) params[name] = decodeURIComponent(value);
  for (const [name, value] of new URLSearchParams(query)) params[name] = typed(name, value);
  if (tenant !== undefined) params.tenant = decodeURIComponent(tenant);
  const streamed = isStreamed(operation);
  const quiet = streamed && request.headers.Accept === undefined;
  const usual = usualHeaders(body !== undefined, streamed && !quiet, '1.0');
  const answer = readAnswer(response, operation);
  const usualAnswer = answer.kind === 'stream' ? streamHeaders : { 'Content-Type': mediaTypes['1.0'] };
  return {
    kind: 'call',
    parties: { from, to, ...(at === undefined ? {} : { at }), ...(purpose === undefined ? {} : { purpose }) },
    operation,
    params: operation === 'GetExtendedAgentCard' && Object.keys(params).length === 0 ? undefined : params,
    announced: announcedBy(request.headers),
    headers: extraHeaders(withoutVersion(request.headers), usual),
    responseHeaders:
      answer.kind === 'refusal'
        ? (response?.headers ?? {})
        : extraHeaders(response?.headers ?? usualAnswer, usualAnswer),
    url: inBase ? undefined : prefix,
    own: {
      ...(verb === routes[operation].verb ? {} : { verb }),
      ...(quiet ? { quiet } : {}),
      ...(isJsonObject(body) && Object.keys(body).length === 0 ? { emptyBody: true } : {}),
    },
    answer,
  };
}

function typed(name: string, value: string): Json {
  const type = queryTypes[name] ?? untranslatable(`a query of ${name}`);
  if (type === 'number') return /^-?\d+$/.test(value) ? Number(value) : untranslatable('no number');
  if (type === 'boolean')
    return value === 'true' || value === 'false' ? value === 'true' : untranslatable('no boolean');
  return value;
}

function readAnswer(response: HttpExampleExchange['response'], operation: Operation): Answer {
  if (response === undefined) return { kind: 'none' };
  const { status, sse, body, body_raw: text, end } = response;
  if (sse !== undefined) {
    const items = sse.map((event): JsonObject | string => {
      if ('data' in event) return objectOf(event.data);
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
  if (status === 200 && text === undefined) {
    const isDeletion = operation === 'DeleteTaskPushNotificationConfig';
    return { kind: 'result', value: isDeletion ? undefined : body };
  }
  if (status < 400) return untranslatable('a status of its own');
  const error = isJsonObject(body) ? body.error : undefined;
  if (!isJsonObject(error))
    return { kind: 'refusal', status, ...(text === undefined ? present({ body }) : { text }) };
  const { status: name, message, details } = error;
  const listed = Array.isArray(details) && details.length === 0 ? undefined : details;
  return {
    kind: 'error',
    error: { code: codeOf(listed, textOf(name)), message: textOf(message), details: listed },
  };
}

export function writeRest(call: Call, version: Version): HttpExampleExchange {
  const { operation, parties } = call;
  const streamed = isStreamed(operation);
  const { verb, url, body } = version === '1.0' ? request10(call) : request03(call);
  return {
    ...parties,
    request: {
      method: verb,
      url,
      headers: {
        ...usualHeaders(body !== undefined, streamed && call.own.quiet !== true, version),
        ...versionHeader(call.announced, version),
        ...headersFor(call.headers, version),
      },
      ...present({ body }),
    },
    ...writeAnswer(call, version),
  };
}

interface RestRequest {
  readonly verb: string;
  readonly url: string;
  readonly body: JsonObject | undefined;
}

/** Path, query and body of a 1.0 call (section 11.3, 11.5). */
function request10({ operation, params = {}, own, url }: Call): RestRequest {
  const { path, verb: usualVerb } = routes[operation];
  const { tenant, ...rest } = params;
  const verb = own.verb ?? usualVerb;
  const names: string[] = [];
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    names.push(name);
    const value = textOf(rest[name]);
    return /[:/?]/.test(value) ? untranslatable('an id that a path cannot have') : encodeURIComponent(value);
  });
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !names.includes(name)));
  const base =
    (url ?? endpoints['HTTP+JSON']) + (tenant === undefined ? '' : `/${encodeURIComponent(textOf(tenant))}`);
  if (verb === 'POST' && operation !== 'SubscribeToTask') {
    const needsBody = operation !== 'CancelTask' || Object.keys(kept).length > 0 || own.emptyBody === true;
    return { verb, url: base + filled, body: needsBody ? kept : undefined };
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(kept)) {
    if (typeof value !== (queryTypes[name] ?? untranslatable(`a query of ${name}`)))
      return untranslatable('a type that a query cannot show');
    query.append(name, String(value));
  }
  const search = query.toString().replaceAll('%3A', ':');
  const body = own.emptyBody === true ? {} : undefined;
  return { verb, url: base + filled + (search === '' ? '' : `?${search}`), body };
}

/** Below `/v1`, with the proto's names in the body (0.3 section 3.5.3, 3.5.6). */
function request03({ operation, params = {}, url }: Call): RestRequest {
  const base = `${url ?? endpoints['HTTP+JSON']}/v1`;
  if (operation === 'GetExtendedAgentCard')
    return Object.keys(params).length === 0
      ? { verb: 'GET', url: `${base}/card`, body: undefined }
      : untranslatable('params that 0.3 has not');
  const { path, verb } = routes[operation];
  const message = transcodedParams(operation, params);
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(textOf(params[name])));
  if (operation === 'CreateTaskPushNotificationConfig')
    return { verb, url: base + filled, body: objectOf(message.config) };
  const { name: _inThePath, parent: _too, historyLength, ...body } = message;
  const query = historyLength === undefined ? '' : `?historyLength=${String(historyLength)}`;
  const hasBody = operation === 'SendMessage' || operation === 'SendStreamingMessage';
  return { verb, url: base + filled + query, body: hasBody ? body : undefined };
}

function writeAnswer(call: Call, version: Version): Pick<HttpExampleExchange, 'response'> {
  const { answer, operation } = call;
  const extra = headersFor(call.responseHeaders, version);
  const headers = { 'Content-Type': mediaTypes[version], ...extra };
  switch (answer.kind) {
    case 'none':
      return {};
    case 'refusal': {
      const { status, body, text } = answer;
      return {
        response: {
          status,
          headers: extra,
          ...(text === undefined ? present({ body }) : { body_raw: text }),
        },
      };
    }
    case 'error': {
      const row = rowOf(answer.error, version);
      const { code, message, details } = answer.error;
      if (version === '0.3')
        return {
          response: {
            status: row.http,
            headers,
            body: { error: { code, message, ...present({ data: details }) } },
          },
        };
      const error = {
        code: row.http,
        status: row.grpc,
        message,
        details: typedDetails(row, details) ?? [],
      };
      return { response: { status: row.http, headers, body: { error } } };
    }
    case 'result':
      return { response: { status: 200, headers, body: resultFor(operation, answer.value, version) } };
    case 'stream': {
      const sse = answer.items.map((item, index) => ({
        ...(typeof item === 'string'
          ? { raw: item }
          : { data: version === '1.0' ? item : transcodedEvent(item) }),
        ...timeOf(answer.times[index]),
      }));
      const { status = 200, end } = answer;
      return { response: { status, headers: { ...streamHeaders, ...extra }, sse, end } };
    }
  }
}

function resultFor(operation: Operation, value: Json | undefined, version: Version): Json {
  if (version === '1.0') return value ?? {};
  return operation === 'GetExtendedAgentCard'
    ? transcodedCard(objectOf(value))
    : transcodedResult(operation, value);
}
