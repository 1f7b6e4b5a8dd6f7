import type { DecodedExchange, Payload } from '@plugfest/a2a';
import { isStreaming } from '@plugfest/a2a';
import type { Binding, ProtocolVersion } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import { hasMappedUrls, sentConfigs } from '../push/registered.ts';
import { isSend, sentMessage } from '../sent-message.ts';
import type { ProtocolDocument, TypedObject } from './documents.ts';

/*
 * One breach is one finding: where a rule judges a required member at one kind of place, the rules that judge required
 * members everywhere (JSON-003, JSON-007, JSON-009, JSON-024, GRPC-014) leave that place to it.
 */

interface Place {
  readonly exchange: DecodedExchange;
  readonly document: ProtocolDocument;
  readonly object: TypedObject;
  /** What the object is, or lies in; undefined where nothing was recognised, which no other rule sees. */
  readonly payload: Payload | undefined;
}

interface Owner {
  readonly rule: string;
  readonly versions: readonly ProtocolVersion[];
  readonly bindings?: readonly Binding[];
  judges(place: Place): boolean;
}

const modern = ['1.0'] as const;
const typed = ['0.2', '0.3', '1.0'] as const;

/** Of an answer to a call: deliveries are no exchanges of the server's. */
const inAnswer = ({ exchange, document, payload }: Place): boolean =>
  exchange.kind === 'operation' && document.side === 'response' && payload !== undefined;
const inStream = (place: Place): boolean =>
  inAnswer(place) && place.document.event !== undefined && isStreaming(place.exchange.operation);

/** The object is the payload itself, and not something in it. */
const isPayload = ({ object, payload }: Place, kind: Payload['kind']): boolean =>
  payload?.kind === kind && payload.pointer === object.pointer;
/** The task or event whose status, or the status whose state, is looked at. */
const isStatusOf = ({ object, payload }: Place, kind: Payload['kind']): boolean =>
  payload?.kind === kind &&
  (object.pointer === payload.pointer || object.pointer === `${payload.pointer}/status`);

const isSentMessage = ({ exchange, document, object }: Place): boolean => {
  const sent = sentMessage(exchange);
  return document.side === 'request' && sent !== undefined && sent.pointer === object.pointer;
};

const artifactId: Owner = { rule: 'ART-001', versions: typed, judges: inAnswer };
const artifactParts: Owner = { rule: 'ART-003', versions: ['0.1', ...typed], judges: inAnswer };
const ofSentMessage: Owner = { rule: 'SEND-001', versions: typed, judges: isSentMessage };
const contextId: Owner = {
  rule: 'CTX-015',
  versions: ['0.2', '0.3'],
  bindings: ['JSONRPC'],
  judges: inAnswer,
};
const inStatusUpdate: Owner = {
  rule: 'SSE-014',
  versions: modern,
  judges: (place) => inStream(place) && isPayload(place, 'statusUpdate'),
};
const inArtifactUpdate: Owner = {
  rule: 'SSE-015',
  versions: modern,
  judges: (place) => inStream(place) && isPayload(place, 'artifactUpdate'),
};
const ofCancel: Owner = {
  rule: 'CANC-001',
  versions: typed,
  judges: (place) =>
    inAnswer(place) &&
    isStatusOf(place, 'task') &&
    place.exchange.operation === 'CancelTask' &&
    namesTask(place),
};
const states: readonly Owner[] = [
  ofCancel,
  {
    rule: 'SEND-004',
    versions: modern,
    judges: (place) => inAnswer(place) && isSend(place.exchange) && isStatusOf(place, 'task'),
  },
  {
    rule: 'SSE-014',
    versions: modern,
    judges: (place) => inStream(place) && isStatusOf(place, 'statusUpdate'),
  },
  {
    rule: 'LIFE-001',
    versions: modern,
    judges: (place) => inAnswer(place) && (isStatusOf(place, 'task') || isStatusOf(place, 'statusUpdate')),
  },
];

/** By type and member of the schema. */
const owners: ReadonlyMap<string, readonly Owner[]> = new Map<string, readonly Owner[]>([
  ['Artifact.artifactId', [artifactId]],
  ['Artifact.parts', [artifactParts]],
  ['Message.messageId', [ofSentMessage]],
  ['Message.role', [ofSentMessage]],
  [
    'Message.parts',
    [
      {
        ...ofSentMessage,
        judges: (place) => isSentMessage(place) && !Array.isArray(place.object.value.content),
      },
    ],
  ],
  [
    'SendMessageRequest.message',
    [{ rule: 'SEND-001', versions: modern, judges: ({ exchange }) => isSend(exchange) }],
  ],
  [
    'Task.id',
    [
      ofCancel,
      {
        rule: 'TASK-001',
        versions: typed,
        judges: (place) =>
          inAnswer(place) &&
          isPayload(place, 'task') &&
          place.exchange.operation === 'GetTask' &&
          namesTask(place),
      },
      {
        rule: 'SEND-004',
        versions: modern,
        judges: (place) => inAnswer(place) && isSend(place.exchange) && isPayload(place, 'task'),
      },
    ],
  ],
  ['Task.contextId', [contextId]],
  ['Task.status', states],
  ['TaskStatus.state', states],
  ['TaskStatusUpdateEvent.taskId', [inStatusUpdate]],
  ['TaskStatusUpdateEvent.contextId', [inStatusUpdate, contextId]],
  ['TaskStatusUpdateEvent.status', states],
  [
    'TaskStatusUpdateEvent.final',
    [{ rule: 'SSE-030', versions: ['0.2', '0.3'], bindings: ['JSONRPC'], judges: inStream }],
  ],
  ['TaskArtifactUpdateEvent.taskId', [inArtifactUpdate]],
  ['TaskArtifactUpdateEvent.contextId', [inArtifactUpdate, contextId]],
  ['TaskArtifactUpdateEvent.artifact', [inArtifactUpdate]],
  [
    'TaskPushNotificationConfig.url',
    [
      {
        rule: 'PUSH-002',
        versions: modern,
        judges: ({ exchange, document }) =>
          document.side === 'request' && exchange.operation === 'CreateTaskPushNotificationConfig',
      },
      {
        rule: 'PUSH-006',
        versions: modern,
        judges: (place) =>
          inAnswer(place) &&
          isPayload(place, 'pushConfig') &&
          place.exchange.operation !== 'CreateTaskPushNotificationConfig',
      },
      {
        // It compares the URL with the one that was sent; GRPC-012 needs no other.
        rule: 'PUSH-003, GRPC-012',
        versions: modern,
        judges: (place) =>
          inAnswer(place) &&
          isPayload(place, 'pushConfig') &&
          place.exchange.operation === 'CreateTaskPushNotificationConfig' &&
          (place.exchange.dialect?.binding === 'GRPC' || isUrlCompared(place.exchange)),
      },
    ],
  ],
  [
    'AuthenticationInfo.scheme',
    [
      {
        rule: 'PUSH-013',
        versions: modern,
        judges: ({ document, payload }) => document.side === 'request' && payload?.kind === 'pushConfig',
      },
    ],
  ],
]);

const namesTask = ({ exchange }: Place): boolean => {
  const { params } = exchange.request;
  return isJsonObject(params) && typeof params.id === 'string';
};

const isUrlCompared = (exchange: DecodedExchange): boolean =>
  sentConfigs(exchange)[0]?.config.url !== undefined && !hasMappedUrls(exchange.captured);

/** The innermost payload that holds an object. */
function payloadAround(
  { payloads }: DecodedExchange,
  { side, event }: ProtocolDocument,
  { pointer }: TypedObject,
): Payload | undefined {
  let found: Payload | undefined;
  for (const payload of payloads) {
    if (payload.side !== side || payload.event !== event) continue;
    if (pointer !== payload.pointer && !pointer.startsWith(`${payload.pointer}/`)) continue;
    if (found === undefined || payload.pointer.length > found.pointer.length) found = payload;
  }
  return found;
}

/** The rule that judges whether a required member is there and says something; undefined where none does in particular. */
export function memberOwner(
  exchange: DecodedExchange,
  document: ProtocolDocument,
  object: TypedObject,
  member: string,
): string | undefined {
  const { dialect } = exchange;
  const candidates = owners.get(`${object.type}.${member}`);
  if (candidates === undefined || dialect === undefined) return undefined;
  const place: Place = { exchange, document, object, payload: payloadAround(exchange, document, object) };
  return candidates.find(
    ({ versions, bindings, judges }) =>
      versions.includes(dialect.version) && (bindings?.includes(dialect.binding) ?? true) && judges(place),
  )?.rule;
}
