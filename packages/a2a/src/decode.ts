import {
  type CapturedExchange,
  contentType,
  type Dialect,
  isJsonObject,
  type JsonObject,
  type Operation,
  type ProtocolVersion,
} from '@plugfest/model';
import { isOfMcp, isOfOthers } from './decode/bystander.ts';
import { cardExchangeVersion, isCardPath } from './decode/card.ts';
import { grpcParams, grpcRequest, grpcResponse } from './decode/grpc.ts';
import { looksLikeRpc, rpcEnvelope } from './decode/jsonrpc.ts';
import { firstResult, interpretResponse, type ReadResponse, readResponse } from './decode/response.ts';
import { type RestCall, restParams, restRoute } from './decode/rest.ts';
import { deliveryPayload, deliveryVersion, looksLikeDelivery } from './decode/webhook.ts';
import { assemble, readWire, requestPlace, responsePlace, type Wire } from './decode/wire.ts';
import type { DecodedExchange, DecodedResponse, Payload } from './decoded.ts';
import { grpcCall, jsonRpcVersion, type PeerContext, restVersion } from './dialect.ts';
import { rpcOf } from './grpc/schemas.ts';
import { jsonRpcMethod } from './operations.ts';
import { extractCard, extractRequest, extractResult, extractUnary } from './payloads.ts';
import { looksLikeCard } from './views/card.ts';

export interface DecodeContext {
  /** Of the callee; for a webhook delivery of the agent that sends it. */
  readonly peer?: PeerContext;
}

function read(wire: Wire, operation: Operation | undefined): ReadResponse | undefined {
  const { response } = wire.captured;
  return response && readResponse(response, wire.verb, operation);
}

/** Objects in the response of an operation. */
function extractResponse(
  wire: Wire,
  operation: Operation | undefined,
  version: ProtocolVersion,
  response: DecodedResponse | undefined,
  into: Payload[],
): void {
  if (response === undefined) return;
  if (response.events === undefined) {
    const extraction = { place: responsePlace(wire.captured), version, into };
    extractUnary(operation, response.result, response.pointer, extraction);
    return;
  }
  for (const { index, atNs, payload, pointer } of response.events) {
    const extraction = { place: { side: 'response', event: index, atNs } as const, version, into };
    extractResult(payload, pointer, true, extraction);
  }
}

function decodeJsonRpc(wire: Wire): DecodedExchange {
  const rpc = rpcEnvelope(wire.json.value);
  const method = typeof rpc?.method === 'string' ? rpc.method : undefined;
  const operation = method === undefined ? undefined : jsonRpcMethod(method)?.operation;
  const raw = read(wire, operation);
  const { version, decidedBy } = jsonRpcVersion(method, wire.a2aVersion, () => firstResult(raw), wire.peer);
  const dialect: Dialect = { version, binding: 'JSONRPC' };
  const payloads: Payload[] = [];
  const extraction = { place: requestPlace(wire.captured), version, into: payloads };
  extractRequest(operation, rpc?.params, rpc?.params, '/params', extraction);
  const response = raw && interpretResponse(raw, 'JSONRPC', version);
  extractResponse(wire, operation, version, response, payloads);
  return assemble(wire, {
    kind: 'operation',
    dialect,
    decidedBy,
    operation,
    wireMethod: method,
    rpc,
    params: rpc?.params,
    pointer: '/params',
    response,
    payloads,
  });
}

function decodeRest(wire: Wire, route: RestCall): DecodedExchange {
  const { operation } = route;
  const raw = read(wire, operation);
  if (isOfOthers(wire, route, raw)) return decodeOther(wire, raw);
  const { version, decidedBy } = restVersion(route, wire.a2aVersion, wire.peer);
  const dialect: Dialect = { version, binding: 'HTTP+JSON' };
  const value = wire.json.value;
  const rpc = isJsonObject(value) && 'jsonrpc' in value ? rpcEnvelope(value) : undefined;
  const body = rpc === undefined ? value : rpc.params;
  const pointer = rpc === undefined ? '' : '/params';
  const params = restParams(route, wire.target.query, body, wire.peer);
  const payloads: Payload[] = [];
  const extraction = { place: requestPlace(wire.captured), version, into: payloads };
  extractRequest(operation, body, params, pointer, extraction);
  const response = raw && interpretResponse(raw, 'HTTP+JSON', version);
  extractResponse(wire, operation, version, response, payloads);
  return assemble(wire, {
    kind: 'operation',
    dialect,
    decidedBy,
    operation,
    wireMethod: `${wire.verb} ${route.pattern}`,
    rpc,
    params,
    pointer,
    response,
    payloads,
  });
}

function decodeWebhook(wire: Wire): DecodedExchange {
  const { version, decidedBy } = deliveryVersion(wire.json.value, wire.peer);
  const { value, pointer } = deliveryPayload(wire.json.value);
  const payloads: Payload[] = [];
  const extraction = { place: requestPlace(wire.captured), version, into: payloads };
  extractResult(value, pointer, false, extraction);
  const raw = read(wire, undefined);
  return assemble(wire, {
    kind: 'webhook',
    dialect: { version, binding: 'HTTP+JSON' },
    decidedBy,
    operation: undefined,
    wireMethod: undefined,
    rpc: pointer === '' ? undefined : rpcEnvelope(wire.json.value),
    params: value,
    pointer,
    response: raw && interpretResponse(raw, 'HTTP+JSON', version),
    payloads,
  });
}

function decodeCard(
  wire: Wire,
  raw: ReadResponse | undefined,
  card: JsonObject | undefined,
): DecodedExchange {
  const { path } = wire.target;
  const { version, decidedBy } = cardExchangeVersion(card, path, wire.a2aVersion, wire.peer);
  const payloads: Payload[] = [];
  if (card !== undefined) {
    extractCard(card, '', false, path, { place: responsePlace(wire.captured), version, into: payloads });
  }
  return assemble(wire, {
    kind: 'card',
    dialect: { version, binding: 'HTTP+JSON' },
    decidedBy,
    operation: undefined,
    wireMethod: undefined,
    rpc: undefined,
    params: undefined,
    pointer: '',
    response: raw && interpretResponse(raw, 'HTTP+JSON', version),
    payloads,
  });
}

function decodeGrpc(names: Wire): DecodedExchange {
  const { path } = names.target;
  const { request, response: answer } = names.captured;
  const rpc = rpcOf(path);
  const method = grpcCall(path, names.a2aVersion, names.peer);
  const operation = method?.operation;
  const imported = names.captured.edge.mode === 'import';
  const { json, messages } = grpcRequest(request.body, request.headers, rpc?.input, imported);
  const wire = { ...names, json };
  const response = answer && grpcResponse(answer, operation, rpc?.output, imported);
  const payloads: Payload[] = [];
  const params = grpcParams(json.value, method?.version ?? '1.0', operation);
  if (method !== undefined) {
    const extraction = { place: requestPlace(wire.captured), version: method.version, into: payloads };
    extractRequest(operation, json.value, params, '', extraction);
    extractResponse(wire, operation, method.version, response, payloads);
  }
  return assemble(wire, {
    kind: method === undefined ? 'other' : 'operation',
    dialect: method && { version: method.version, binding: 'GRPC' },
    decidedBy: method?.decidedBy,
    operation,
    wireMethod: method && path,
    rpc: undefined,
    params,
    pointer: '',
    response,
    payloads,
    messages,
  });
}

function decodeOther(wire: Wire, raw: ReadResponse | undefined): DecodedExchange {
  return assemble(wire, {
    kind: 'other',
    dialect: undefined,
    decidedBy: undefined,
    operation: undefined,
    wireMethod: undefined,
    rpc: undefined,
    params: undefined,
    pointer: '',
    response: raw && interpretResponse(raw, 'HTTP+JSON', '1.0'),
    payloads: [],
  });
}

/** The card in a response, if it is one: any object at a card's path, or what looks like a card elsewhere. */
function cardIn(raw: ReadResponse | undefined, atCardPath: boolean): JsonObject | undefined {
  if (raw === undefined || raw.status < 200 || raw.status > 299) return undefined;
  const { value } = raw.json;
  return isJsonObject(value) && (atCardPath || looksLikeCard(value)) ? value : undefined;
}

function decodeGet(wire: Wire): DecodedExchange {
  const { path } = wire.target;
  if (isCardPath(path)) {
    const raw = read(wire, undefined);
    return decodeCard(wire, raw, cardIn(raw, true));
  }
  const route = restRoute(wire.verb, path);
  if (route !== undefined) return decodeRest(wire, route);
  const raw = read(wire, undefined);
  const card = cardIn(raw, false);
  return card === undefined ? decodeOther(wire, raw) : decodeCard(wire, raw, card);
}

function decodeWithBody(wire: Wire): DecodedExchange {
  const { value } = wire.json;
  const route = restRoute(wire.verb, wire.target.path);
  if (route?.distinctive === true) return decodeRest(wire, route);
  if (looksLikeDelivery(value)) return decodeWebhook(wire);
  if (looksLikeRpc(value))
    return isOfMcp(wire) ? decodeOther(wire, read(wire, undefined)) : decodeJsonRpc(wire);
  // Whatever it asked for is lost, and with it what the answer has to look like.
  if (wire.json.state === 'truncated' || wire.json.state === 'too-large')
    return decodeOther(wire, read(wire, undefined));
  if (route !== undefined) return decodeRest(wire, route);
  const saysJson = wire.mediaType === 'application/json' || wire.mediaType.endsWith('+json');
  // A JSON POST to an agent that is nothing else is a JSON-RPC call gone wrong, for the rules to judge.
  return saysJson && wire.verb === 'POST' ? decodeJsonRpc(wire) : decodeOther(wire, read(wire, undefined));
}

/**
 * Gives an exchange its protocol meaning. A pure function of captured bytes and context: never throws, linear in the
 * size of the exchange, bounded by `limits`.
 */
export function decodeExchange(captured: CapturedExchange, context: DecodeContext = {}): DecodedExchange {
  const { method, headers } = captured.request;
  if (contentType(headers).startsWith('application/grpc')) {
    return decodeGrpc(readWire(captured, context.peer, false));
  }
  const wire = readWire(captured, context.peer, true);
  if (captured.edge.kind === 'webhook') return decodeWebhook(wire);
  switch (method) {
    case 'GET':
      return decodeGet(wire);
    case 'POST':
    case 'PUT':
    case 'PATCH':
    case 'DELETE':
      return decodeWithBody(wire);
    default:
      return decodeOther(wire, read(wire, undefined));
  }
}
