import { isJsonObject, type Json, type JsonObject, type Operation } from '@plugfest/model';
import type { GrpcExampleExchange } from '../example.ts';
import { transcodedCard } from './cards.ts';
import { objectOf, untranslatable } from './codec.ts';
import { grpcMethods, isStreamed } from './dialect.ts';
import { codeOf, rowOf, typedDetails } from './errors.ts';
import { headersFor, versionHeader } from './headers.ts';
import type { Answer, Call, ExtraHeaders } from './meaning.ts';
import { asPrinted, proto } from './objects.ts';
import { transcodedEvent, transcodedParams, transcodedResult } from './transcoded.ts';

type Version = '0.3' | '1.0';

const services: Readonly<Record<Version, string>> = {
  '0.3': '/a2a.v1.A2AService/',
  '1.0': '/lf.a2a.v1.A2AService/',
};

/** A 1.0 call. Headers have lower-case names here; extensions and credentials are what examples have. */
const spelling: Readonly<Record<string, string>> = {
  'a2a-extensions': 'A2A-Extensions',
  'x-a2a-extensions': 'X-A2A-Extensions',
  authorization: 'Authorization',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
};

export function readGrpc(exchange: GrpcExampleExchange): Call {
  const { from, to, at, purpose, grpc } = exchange;
  const name = grpc.method.startsWith(services['1.0']) ? grpc.method.slice(services['1.0'].length) : '';
  const entry = Object.entries(grpcMethods['1.0'] ?? {}).find(([, method]) => method === name);
  if (entry === undefined) return untranslatable('no method of 1.0');
  const operation = entry[0] as Operation;
  const { 'a2a-version': announced = null, ...metadata } = grpc.metadata ?? {};
  const headers: Record<string, string> = {};
  for (const [key, value] of Object.entries(metadata))
    headers[spelling[key] ?? untranslatable(`metadata ${key}`)] = value;
  const params = grpc.request === undefined ? {} : objectOf(proto.request[operation].to(grpc.request));
  return {
    kind: 'call',
    parties: { from, to, ...(at === undefined ? {} : { at }), ...(purpose === undefined ? {} : { purpose }) },
    operation,
    params: operation === 'GetExtendedAgentCard' && Object.keys(params).length === 0 ? undefined : params,
    announced: announced === '1.0' ? undefined : announced,
    headers,
    responseHeaders: {},
    url: undefined,
    own: grpc.request !== undefined && Object.keys(params).length === 0 ? { emptyBody: true } : {},
    answer: readAnswer(grpc, operation),
  };
}

function readAnswer(grpc: GrpcExampleExchange['grpc'], operation: Operation): Answer {
  const { response, status, trailers = {}, details } = grpc;
  const { 'grpc-message': said, ...others } = trailers;
  if (Object.keys(others).length > 0) return untranslatable('trailers of its own');
  const message = proto.response[operation];
  if (isStreamed(operation) && response !== undefined) {
    const items = Array.isArray(response) ? response.map((item: Json) => objectOf(message.to(item))) : [];
    if (status !== undefined && status !== 'OK') return untranslatable('an error amid a stream');
    const times = items.map((_item, index) => grpc.response_at?.[index]);
    if (status === undefined) return untranslatable('no end');
    return { kind: 'stream', items, times, end: 'closed' };
  }
  if (status === undefined) return untranslatable('no end');
  if (status === 'OK') {
    const isDeletion = operation === 'DeleteTaskPushNotificationConfig';
    return { kind: 'result', value: isDeletion ? undefined : message.to(response ?? {}) };
  }
  if (said === undefined) return untranslatable('no message');
  const list: Json | undefined = details === undefined ? undefined : [...details];
  return {
    kind: 'error',
    error: { code: codeOf(list, status), message: decodeURIComponent(said), details: list },
  };
}

export function writeGrpc(call: Call, version: Version): GrpcExampleExchange {
  const { operation, parties, params = {} } = call;
  const method = grpcMethods[version]?.[operation] ?? untranslatable(`no ${operation} in ${version}`);
  if (call.url !== undefined) return untranslatable('a URL');
  const request =
    version === '1.0'
      ? asPrinted(proto.request[operation].to(params))
      : operation === 'GetExtendedAgentCard'
        ? {}
        : asPrinted(transcodedParams(operation, params));
  const metadata = lowered({
    ...versionHeader(call.announced, version),
    ...headersFor(call.headers, version),
  });
  return {
    ...parties,
    grpc: { method: services[version] + method, metadata, request, ...writeAnswer(call, version) },
  };
}

const lowered = (headers: ExtraHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

type Written = Pick<
  GrpcExampleExchange['grpc'],
  'response' | 'response_at' | 'status' | 'trailers' | 'details'
>;

/** gRPC's own statuses for what HTTP refuses before the agent looks at it (the mapping of gRPC over HTTP/2). */
const refusals: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'UNAVAILABLE',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
};

function writeAnswer(call: Call, version: Version): Written {
  const { answer, operation } = call;
  if (answer.kind !== 'refusal' && Object.keys(call.responseHeaders).length > 0)
    return untranslatable('response headers');
  switch (answer.kind) {
    case 'none':
      return {};
    case 'refusal': {
      const status = refusals[answer.status] ?? untranslatable('an HTTP status');
      const { 'Content-Type': _ofTheBody, ...headers } = call.responseHeaders;
      const { body, text } = answer;
      if (body !== undefined && isJsonObject(body) && Object.keys(body).length > 0)
        return untranslatable('a body beside the status');
      if (text !== undefined && text !== '') return untranslatable('a body beside the status');
      return { status, ...(Object.keys(headers).length === 0 ? {} : { trailers: lowered(headers) }) };
    }
    case 'error': {
      const row = rowOf(answer.error, version);
      const details = version === '1.0' ? typedDetails(row, answer.error.details) : undefined;
      return {
        status: row.grpc,
        ...(details === undefined ? {} : { details }),
        trailers: { 'grpc-message': encodeURIComponent(answer.error.message) },
      };
    }
    case 'result':
      return { response: resultFor(operation, answer.value, version), status: 'OK' };
    case 'stream': {
      if (answer.status !== undefined) return untranslatable('an HTTP status');
      const response = answer.items.map((item): JsonObject => {
        if (typeof item === 'string') return untranslatable('SSE comments');
        return version === '1.0'
          ? objectOf(asPrinted(proto.streamResponse.to(item)))
          : objectOf(asPrinted(transcodedEvent(item)));
      });
      const times = answer.times.filter((at) => at !== undefined);
      return { response, ...(times.length === 0 ? {} : { response_at: times }), ...endOf(answer.end) };
    }
  }
}

function endOf(end: 'closed' | 'reset' | 'client-abort' | 'open'): Written {
  if (end === 'open') return untranslatable('a stream that goes on');
  return { status: end === 'closed' ? 'OK' : end === 'reset' ? 'UNAVAILABLE' : 'CANCELLED' };
}

function resultFor(operation: Operation, value: Json | undefined, version: Version): Json {
  if (version === '1.0') return asPrinted(proto.response[operation].to(value ?? {}));
  return operation === 'GetExtendedAgentCard'
    ? asPrinted(transcodedCard(objectOf(value)))
    : asPrinted(transcodedResult(operation, value));
}
