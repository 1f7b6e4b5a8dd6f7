import { hash } from 'node:crypto';
import type { Json } from '@plugfest/model';
import type { HttpExampleExchange } from './example.ts';

type Headers = Readonly<Record<string, string | undefined>>;
type Version = '0.3' | '1.0';

interface Common {
  /** Added to, or (as `undefined`) taken from the headers that belong there. */
  readonly headers?: Headers;
  readonly responseHeaders?: Headers;
  readonly status?: number;
  readonly from?: string;
  readonly to?: string;
  /** `probe`: what is wrong with the request is so on purpose. */
  readonly purpose?: 'probe';
}

interface RpcCall extends Common {
  readonly version?: Version;
  readonly method: string;
  readonly params?: Json;
  /** JSON-RPC request id; default `1`. */
  readonly id?: Json;
  /** JSON-RPC id of the answer, where it differs. */
  readonly responseId?: Json;
}

interface RpcUnary extends RpcCall {
  readonly result?: Json;
  readonly error?: Json;
  /** The whole response body, instead of an envelope around `result` or `error`. */
  readonly responseBody?: Json;
  readonly responseText?: string;
  /** The whole request body, instead of an envelope around `method` and `params`. */
  readonly requestBody?: Json;
  readonly requestText?: string;
}

interface RpcStream extends RpcCall {
  /** Payloads of the events, each put into an envelope. */
  readonly events: readonly Json[];
  /** Raw SSE text after the events, and raw bytes after that. */
  readonly raw?: string;
  readonly rawBytes?: Uint8Array;
  readonly end?: 'closed' | 'reset' | 'client-abort' | 'open';
}

const endpoint = 'https://agent.example/a2a';
const restBase = 'https://agent.example/rest';

function merged(base: Headers, more: Headers = {}): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...base, ...more }))
    if (value !== undefined) all[name] = value;
  return all;
}

const purposeOf = ({ purpose }: Common): Pick<HttpExampleExchange, 'purpose'> =>
  purpose === undefined ? {} : { purpose };

function versionHeader(version: Version): Headers {
  return version === '1.0' ? { 'A2A-Version': '1.0' } : {};
}

function rpcRequest(call: RpcUnary, accept: string | undefined): HttpExampleExchange['request'] {
  const { version = '1.0', method, params, id = 1, requestBody, requestText } = call;
  const envelope: Json = { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
  return {
    method: 'POST',
    url: endpoint,
    headers: merged(
      {
        'Content-Type': 'application/json',
        ...(accept === undefined ? {} : { Accept: accept }),
        ...versionHeader(version),
      },
      call.headers,
    ),
    ...(requestText === undefined ? { body: requestBody ?? envelope } : { body_raw: requestText }),
  };
}

/** A JSON-RPC call and its answer. */
export function rpc(call: RpcUnary): HttpExampleExchange {
  const { id = 1, responseId = id, result, error, responseBody, responseText } = call;
  const envelope: Json = {
    jsonrpc: '2.0',
    id: responseId,
    ...(error === undefined ? { result: result ?? null } : { error }),
  };
  return {
    from: call.from ?? 'client',
    to: call.to ?? 'agent',
    ...purposeOf(call),
    request: rpcRequest(call, undefined),
    response: {
      status: call.status ?? 200,
      headers: merged({ 'Content-Type': 'application/json' }, call.responseHeaders),
      ...(responseText === undefined ? { body: responseBody ?? envelope } : { body_raw: responseText }),
    },
  };
}

/** A JSON-RPC call answered by a stream. */
export function rpcStream(call: RpcStream): HttpExampleExchange {
  const { id = 1, responseId = id, events, raw, rawBytes, end = 'closed' } = call;
  return {
    from: call.from ?? 'client',
    to: call.to ?? 'agent',
    ...purposeOf(call),
    request: rpcRequest(call, 'text/event-stream'),
    response: {
      status: call.status ?? 200,
      headers: merged(
        { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' },
        call.responseHeaders,
      ),
      sse: [
        ...events.map((result) => ({ data: { jsonrpc: '2.0', id: responseId, result } })),
        ...(raw === undefined ? [] : [{ raw }]),
        ...(rawBytes === undefined ? [] : [{ raw_base64: Buffer.from(rawBytes).toString('base64') }]),
      ],
      end,
    },
  };
}

interface RestCall extends Common {
  readonly verb: string;
  /** The interface's base URL, where it is not the one of the example card. */
  readonly base?: string;
  /** Path after the interface's base URL, with its query, e.g. `/tasks/task-1`. */
  readonly path: string;
  readonly body?: Json;
  readonly bodyText?: string;
  readonly response?: Json;
  readonly responseText?: string;
}

function restRequest(call: RestCall, accept: string | undefined): HttpExampleExchange['request'] {
  const hasBody = call.body !== undefined || call.bodyText !== undefined;
  return {
    method: call.verb,
    url: (call.base ?? restBase) + call.path,
    headers: merged(
      {
        ...(hasBody ? { 'Content-Type': 'application/a2a+json' } : {}),
        ...(accept === undefined ? {} : { Accept: accept }),
        ...versionHeader('1.0'),
      },
      call.headers,
    ),
    ...(call.bodyText === undefined
      ? call.body === undefined
        ? {}
        : { body: call.body }
      : { body_raw: call.bodyText }),
  };
}

/** A 1.0 HTTP+JSON call and its answer. */
export function rest(call: RestCall): HttpExampleExchange {
  return {
    from: call.from ?? 'client',
    to: call.to ?? 'agent',
    ...purposeOf(call),
    request: restRequest(call, undefined),
    response: {
      status: call.status ?? 200,
      headers: merged({ 'Content-Type': 'application/a2a+json' }, call.responseHeaders),
      ...(call.responseText === undefined ? { body: call.response ?? {} } : { body_raw: call.responseText }),
    },
  };
}

/** A 0.3 HTTP+JSON call and its answer; `path` includes the `/v1`. */
export function restV03(call: RestCall): HttpExampleExchange {
  const hasBody = call.body !== undefined || call.bodyText !== undefined;
  return rest({
    ...call,
    headers: {
      'A2A-Version': undefined,
      ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
      ...call.headers,
    },
    responseHeaders: { 'Content-Type': 'application/json', ...call.responseHeaders },
  });
}

/** A 1.0 HTTP+JSON call answered by a stream. */
export function restStream(
  call: Omit<RestCall, 'response' | 'responseText'> & {
    readonly events: readonly Json[];
    readonly raw?: string;
    readonly end?: 'closed' | 'reset' | 'client-abort' | 'open';
  },
): HttpExampleExchange {
  return {
    from: call.from ?? 'client',
    to: call.to ?? 'agent',
    ...purposeOf(call),
    request: restRequest(call, 'text/event-stream'),
    response: {
      status: call.status ?? 200,
      headers: merged(
        { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' },
        call.responseHeaders,
      ),
      sse: [...call.events.map((data) => ({ data })), ...(call.raw === undefined ? [] : [{ raw: call.raw }])],
      end: call.end ?? 'closed',
    },
  };
}

/** A 1.0 REST error body (section 11.6). */
export function restError(
  status: number,
  code: string,
  message: string,
  details: readonly Json[] = [],
): Json {
  return { error: { code: status, status: code, message, details } };
}

/** A fetch of the agent card, from its well-known URL unless told otherwise. */
export function getCard(
  card: Json,
  more: Common & { readonly url?: string; readonly text?: string } = {},
): HttpExampleExchange {
  return {
    from: more.from ?? 'client',
    to: more.to ?? 'agent',
    request: {
      method: 'GET',
      url: more.url ?? 'https://agent.example/.well-known/agent-card.json',
      headers: merged({ Accept: 'application/json' }, more.headers),
    },
    response: {
      status: more.status ?? 200,
      headers: merged(
        {
          'Content-Type': 'application/json',
          'Cache-Control': 'max-age=3600',
          // Another card has another tag.
          ETag: `"${hash('sha256', JSON.stringify(card)).slice(0, 12)}"`,
        },
        more.responseHeaders,
      ),
      ...(more.text === undefined ? { body: card } : { body_raw: more.text }),
    },
  };
}

/** A push delivery, to the webhook of `pushConfig` unless told otherwise. */
export function deliver(
  body: Json,
  more: Common & { readonly url?: string; readonly verb?: string } = {},
): HttpExampleExchange {
  return {
    from: more.from ?? 'agent',
    to: more.to ?? 'webhook receiver',
    request: {
      method: more.verb ?? 'POST',
      url: more.url ?? 'https://hook.example/push',
      headers: merged(
        {
          'Content-Type': 'application/a2a+json',
          Authorization: 'Bearer cred-1',
          'X-A2A-Notification-Token': 'token-1',
        },
        more.headers,
      ),
      body,
    },
    response: {
      status: more.status ?? 200,
      headers: merged({ 'Content-Type': 'application/json' }, more.responseHeaders),
      body: {},
    },
  };
}

/** An exchange whose answer is not in the capture. */
export function unanswered({ response: _, ...asked }: HttpExampleExchange): HttpExampleExchange {
  return asked;
}
