import type { BodyState, DecodedExchange, Payload } from '@plugfest/a2a';
import { pointerToken } from '@plugfest/a2a';
import { protocolSchemas } from '@plugfest/a2a/schemas';
import type { FindingLocation, Json, JsonObject } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import { onceForEach } from '../last-exchange.ts';
import { isUnread } from '../unread-body.ts';
import { type Field, type Schema, schema01, schema03, schema10 } from './schema.ts';

/** A protocol object inside a document, with the type that its place gives it. */
export interface TypedObject {
  readonly type: string;
  readonly value: JsonObject;
  readonly pointer: string;
}

/** One JSON text that crossed: a request body, a unary response body, or the data of one stream event. */
export interface ProtocolDocument {
  readonly side: 'request' | 'response';
  readonly event: number | undefined;
  /** Name of the type at the root; undefined where the document holds no protocol object (an error, a `null`). */
  readonly type: string | undefined;
  /** Name of the type that belongs at the root. */
  readonly expected: string | undefined;
  /** All protocol objects in it, outermost first. Free-form members are not entered. */
  readonly objects: readonly TypedObject[];
}

/** The documents of an exchange. `cut` says that some document is there of which nothing could be read. */
export interface Documents {
  readonly all: readonly ProtocolDocument[];
  readonly cut: boolean;
}

/** In 1.0 the operations are named as the JSON-RPC methods are. */
const { methods } = protocolSchemas['1.0'];

const payloadTypes: Readonly<Record<Payload['kind'], string>> = {
  task: 'Task',
  message: 'Message',
  statusUpdate: 'TaskStatusUpdateEvent',
  artifactUpdate: 'TaskArtifactUpdateEvent',
  pushConfig: 'TaskPushNotificationConfig',
  card: 'AgentCard',
};

/** A proto field name as JSON spells it. A run of `_` is looked at once: member names come from peers. */
export const camelCase = (name: string): string =>
  name.includes('_')
    ? name.replace(/(?<!_)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    : name;

/** The field that a member stands for, in either spelling; undefined for unknown members. */
export function fieldNamed(schema: Schema, type: string, name: string): Field | undefined {
  const fields = schema.get(type);
  return fields && fieldIn(fields, name);
}

const fieldIn = (fields: ReadonlyMap<string, Field>, name: string): Field | undefined =>
  fields.get(name) ?? (name.includes('_') ? fields.get(camelCase(name)) : undefined);

function collect(
  schema: Schema,
  type: string,
  value: Json | undefined,
  pointer: string,
  into: TypedObject[],
): void {
  if (!isJsonObject(value)) return;
  into.push({ type, value, pointer });
  const fields = schema.get(type);
  if (fields === undefined) return;
  for (const name in value) {
    const member = value[name];
    if (typeof member !== 'object' || member === null) continue;
    const field = fieldIn(fields, name);
    if (field === undefined || !schema.has(field.type)) continue;
    // Names of fields have nothing in them that a pointer would escape.
    const at = `${pointer}/${name}`;
    if (field.shape === 'one') collect(schema, field.type, member, at, into);
    else if (field.shape === 'list' && Array.isArray(member))
      member.forEach((item: Json, index) => {
        collect(schema, field.type, item, `${at}/${index}`, into);
      });
    else if (field.shape === 'map' && isJsonObject(member))
      for (const [key, item] of Object.entries(member))
        collect(schema, field.type, item, `${at}/${pointerToken(key)}`, into);
  }
}

/** The payloads of a stream by their events: there are many, and each event asks for its own. */
const payloadsByEvent = onceForEach((exchange) => Map.groupBy(exchange.payloads, ({ event }) => event));

const none: readonly Payload[] = [];

/** What really lies at the root: a bare object where a wrapper belongs, or the other way round, is seen through. */
function rootType(
  exchange: DecodedExchange,
  expected: string,
  side: 'request' | 'response',
  event: number | undefined,
  pointer: string,
): string {
  const payloads = event === undefined ? exchange.payloads : (payloadsByEvent(exchange).get(event) ?? none);
  for (const payload of payloads) {
    if (payload.side !== side || payload.event !== event) continue;
    if (payload.pointer === pointer) return payloadTypes[payload.kind];
    if (expected === 'Task' && payload.pointer === `${pointer}/task`) return 'SendMessageResponse';
  }
  return expected;
}

/** Documents by the schema of 1.0. */
function documents10(exchange: DecodedExchange): Documents {
  const { kind, operation, request, response } = exchange;
  const all: ProtocolDocument[] = [];
  let cut = false;
  const add = (
    side: 'request' | 'response',
    event: number | undefined,
    state: BodyState,
    expected: string | undefined,
    value: Json | undefined,
    pointer: string,
  ): void => {
    if (isUnread(state)) cut = true;
    if (state !== 'ok') return;
    const objects: TypedObject[] = [];
    const type =
      isJsonObject(value) && expected ? rootType(exchange, expected, side, event, pointer) : undefined;
    if (type !== undefined) collect(schema10, type, value, pointer, objects);
    all.push({ side, event, type, expected: type && expected, objects });
  };

  if (kind === 'webhook') {
    add('request', undefined, request.json.state, 'StreamResponse', request.params, request.pointer);
    return { all, cut };
  }
  if (operation !== undefined) {
    const body = request.rpc === undefined ? request.json.value : request.rpc.params;
    add('request', undefined, request.json.state, methods[operation]?.params, body, request.pointer);
  }
  if (response === undefined) return { all, cut };
  const expected = operation === undefined ? 'AgentCard' : methods[operation]?.result?.[0];
  if (response.events === undefined) {
    const failed =
      response.error !== undefined || (operation === undefined && exchange.payloads.length === 0);
    add(
      'response',
      undefined,
      response.json.state,
      failed ? undefined : expected,
      response.result,
      response.pointer,
    );
  } else
    for (const { index, json, payload, pointer, error } of response.events)
      add('response', index, json.state, error === undefined ? expected : undefined, payload, pointer);
  return { all, cut };
}

/** Documents by an older schema, which has no types for requests and results: what was recognised in them. */
function legacyDocuments(exchange: DecodedExchange, schema: Schema): Documents {
  const { request, response } = exchange;
  const all: ProtocolDocument[] = [];
  for (const payload of exchange.payloads) {
    const { kind, side, event, pointer } = payload;
    if (kind === 'card' || kind === 'pushConfig') continue;
    const value =
      kind === 'task'
        ? payload.task.value
        : kind === 'message'
          ? payload.message.value
          : payload.update.value;
    const objects: TypedObject[] = [];
    const type = payloadTypes[kind];
    collect(schema, type, value, pointer, objects);
    all.push({ side, event, type, expected: type, objects });
  }
  const states = [request.json, response?.json, ...(response?.events ?? []).map(({ json }) => json)];
  return { all, cut: states.some((json) => json !== undefined && isUnread(json.state)) };
}

/** The protocol documents of an exchange, read by the schema of its dialect. Worked out once per exchange. */
export const documentsOf = onceForEach((exchange): Documents => {
  const version = exchange.dialect?.version;
  return version === '1.0'
    ? documents10(exchange)
    : legacyDocuments(exchange, version === '0.1' ? schema01 : schema03);
});

/** Does some document hold an object that a rule looks at? `undecidable` where only unread ones may. */
export function someObject(
  exchange: DecodedExchange,
  wanted: (object: TypedObject) => boolean,
): boolean | 'undecidable' {
  for (const { objects } of documentsOf(exchange).all) if (objects.some(wanted)) return true;
  return whetherFound(exchange, false);
}

/** The same, of what was looked for already. */
export function whetherFound(exchange: DecodedExchange, found: boolean): boolean | 'undecidable' {
  if (found) return true;
  return documentsOf(exchange).cut ? 'undecidable' : false;
}

/** The location of a pointer inside a document. */
export function placeIn({ side, event }: ProtocolDocument, pointer: string): FindingLocation {
  return { side, pointer, ...(event === undefined ? {} : { event }) };
}
