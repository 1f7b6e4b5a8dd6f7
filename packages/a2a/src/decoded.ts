import type {
  Binding,
  CapturedExchange,
  Dialect,
  Json,
  JsonObject,
  Operation,
  ProtocolVersion,
  TaskState,
} from '@plugfest/model';

/** What an HTTP body turned out to be. `value` is there only for `ok`. */
export type BodyState =
  | 'absent'
  | 'ok'
  /** Complete, but no JSON. */
  | 'invalid'
  /** Cut off: the stored bytes end before the body did. Judge nothing that may lie behind the cut. */
  | 'truncated'
  /** Larger, deeper or more compressed than Plugfest reads. */
  | 'too-large';

/** A JSON body after content decoding. */
export interface JsonBody {
  readonly state: BodyState;
  readonly value?: Json;
  /** The decoded text, as far as there is one. Invalid UTF-8 shows as U+FFFD; see `utf8`. */
  readonly text: string;
  /** False where the bytes were no valid UTF-8. */
  readonly utf8: boolean;
  /** Member names that occur twice in one object, as JSON pointers. */
  readonly duplicates: readonly string[];
  /** For `invalid`: what the parser said. */
  readonly problem?: string;
  /** gRPC: fields that the message's definition does not have. */
  readonly unknownFields?: readonly UnknownField[];
  /** gRPC, for `invalid`: the message makes sense by this definition of the other version's package. */
  readonly otherPackage?: string;
}

/** A field of a protobuf message that its definition does not have: by number, or, where a recorder wrote JSON, by name. */
export interface UnknownField {
  /** Full name of the message's type. */
  readonly message: string;
  readonly number?: number;
  readonly wireType?: number;
  readonly name?: string;
  /** JSON pointer of the message that holds it. */
  readonly pointer: string;
}

/** The status that ends a gRPC call. */
export interface GrpcStatus {
  /** `grpc-status` as sent, its number, and its name where it has one. */
  readonly text: string;
  readonly code: number | undefined;
  readonly name: string | undefined;
  /** `grpc-message`, percent-decoded. */
  readonly message: string | undefined;
  /** `head`: a response without messages has it there. */
  readonly from: 'trailers' | 'head';
  /** Typed objects of `grpc-status-details-bin`, and what the google.rpc.Status in it says besides. */
  readonly details?: readonly Json[];
  readonly inDetails?: { readonly code: number; readonly message: string };
  /** Why the details could not be read. */
  readonly detailsProblem?: string;
}

/** Members of a JSON-RPC envelope, as found; nothing is assumed to be valid. */
export interface RpcEnvelope {
  readonly jsonrpc: Json | undefined;
  readonly id: Json | undefined;
  readonly method: Json | undefined;
  readonly params: Json | undefined;
  readonly result: Json | undefined;
  readonly error: Json | undefined;
  /** Which of the members are present, `null` values included. */
  readonly members: readonly string[];
}

/** A protocol error, whatever binding carried it. */
export interface ErrorView {
  /** JSON-RPC code; or HTTP status; or gRPC status number. */
  readonly code: number | undefined;
  /** A2A or JSON-RPC error by its 1.0 name (`TaskNotFoundError`, `MethodNotFoundError`, …), where code or reason decides it. */
  readonly name: string | undefined;
  readonly message: string | undefined;
  /** `error.data` (JSON-RPC) or `error.details` (HTTP+JSON): the typed objects. */
  readonly details: Json | undefined;
  /** google.rpc.ErrorInfo found in the details. */
  readonly errorInfo: JsonObject | undefined;
  /** The error object itself and where it lies. */
  readonly value: Json;
  readonly pointer: string;
}

/** One event of a response stream: an SSE event, or a gRPC message. */
export interface StreamEvent {
  readonly index: number;
  /** Arrival of its first and its last byte, monotonic ns of the run. */
  readonly firstAtNs: number;
  readonly atNs: number;
  /** SSE `event:` and `id:` fields. */
  readonly eventName: string | undefined;
  readonly lastEventId: string | undefined;
  /** The `data:` lines joined. */
  readonly json: JsonBody;
  readonly rpc: RpcEnvelope | undefined;
  /** The protocol payload without envelope: JSON-RPC `result`, or the data itself for HTTP+JSON. */
  readonly payload: Json | undefined;
  /** JSON pointer of `payload` inside the event's data. */
  readonly pointer: string;
  readonly error: ErrorView | undefined;
  /** False where the stream ended before the blank line that would have dispatched it. */
  readonly terminated: boolean;
}

export interface DecodedRequest {
  readonly mediaType: string;
  readonly json: JsonBody;
  readonly rpc: RpcEnvelope | undefined;
  /** The operation's input: JSON-RPC `params`; for HTTP+JSON body, path and query merged under their 1.0 names. */
  readonly params: Json | undefined;
  /** JSON pointer of `params` inside the body (`/params` or empty). */
  readonly pointer: string;
  /** Path without query, and query parameters in wire order (decoded). */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** `A2A-Version` as sent in a header, or else in the query; undefined where absent. */
  readonly a2aVersion: string | undefined;
  readonly a2aVersionFrom: 'header' | 'query' | undefined;
  /** gRPC: how many messages the request has. */
  readonly messages?: number;
}

export interface DecodedResponse {
  readonly status: number;
  readonly mediaType: string;
  /** The whole body for unary responses; `absent` for streams. */
  readonly json: JsonBody;
  readonly rpc: RpcEnvelope | undefined;
  /** JSON-RPC `result`, or the body of a 2xx HTTP+JSON response. */
  readonly result: Json | undefined;
  readonly pointer: string;
  readonly error: ErrorView | undefined;
  /** Present exactly when the response is a stream. */
  readonly events: readonly StreamEvent[] | undefined;
  /** The body ended by itself and all of it is in the capture. For gRPC: with a status. */
  readonly complete: boolean;
  /** gRPC: how many messages the response has, and its status, where it was seen. */
  readonly messages?: number;
  readonly grpcStatus?: GrpcStatus;
}

/** `card`: a GET of an agent card; `operation`: an A2A call; `webhook`: a push delivery; `other`: anything else. */
export type ExchangeKind = 'card' | 'operation' | 'webhook' | 'other';

/** An exchange with its protocol meaning. A pure function of the captured bytes. */
export interface DecodedExchange {
  readonly captured: CapturedExchange;
  readonly kind: ExchangeKind;
  /** Undefined for `other`. For cards the version of the card's shape; for webhooks that of the body's shape. */
  readonly dialect: Dialect | undefined;
  /** What decided the version: `A2A-Version`, the method's name, the path, or the shape of a body. */
  readonly decidedBy: 'header' | 'method' | 'path' | 'shape' | 'peer' | 'default' | undefined;
  readonly operation: Operation | undefined;
  /** The operation's name as on the wire: JSON-RPC method, `VERB /path` pattern, or gRPC method. */
  readonly wireMethod: string | undefined;
  readonly request: DecodedRequest;
  readonly response: DecodedResponse | undefined;
  /** Every protocol object that crossed in this exchange, request first, then response or events in order. */
  readonly payloads: readonly Payload[];
}

/** Where a payload lies: side, event and JSON pointer into the body or event data. */
export interface PayloadLocation {
  readonly side: 'request' | 'response';
  readonly event?: number;
  readonly pointer: string;
  readonly atNs: number;
}

/** A protocol object with its place. The views are the same for 0.x and 1.0; `value` is what was on the wire. */
export type Payload = PayloadLocation &
  (
    | { readonly kind: 'task'; readonly task: TaskView }
    | { readonly kind: 'message'; readonly message: MessageView }
    | { readonly kind: 'statusUpdate'; readonly update: StatusUpdateView }
    | { readonly kind: 'artifactUpdate'; readonly update: ArtifactUpdateView }
    | { readonly kind: 'pushConfig'; readonly config: PushConfigView }
    | { readonly kind: 'card'; readonly card: CardView }
  );

export interface PartView {
  readonly kind: 'text' | 'raw' | 'url' | 'data' | 'unknown';
  readonly text: string | undefined;
  readonly mediaType: string | undefined;
  readonly value: Json;
  readonly pointer: string;
}

export interface MessageView {
  readonly messageId: string | undefined;
  /** Canonical role; undefined where absent or unknown (see `value`). */
  readonly role: 'ROLE_USER' | 'ROLE_AGENT' | undefined;
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  readonly referenceTaskIds: readonly string[];
  readonly parts: readonly PartView[];
  readonly value: JsonObject;
  readonly pointer: string;
}

export interface ArtifactView {
  readonly artifactId: string | undefined;
  readonly name: string | undefined;
  readonly parts: readonly PartView[];
  readonly value: JsonObject;
  readonly pointer: string;
}

export interface StatusView {
  /** Canonical state; undefined where absent or unknown. */
  readonly state: TaskState | undefined;
  /** As on the wire. */
  readonly rawState: Json | undefined;
  readonly timestamp: string | undefined;
  readonly message: MessageView | undefined;
  readonly value: Json | undefined;
  readonly pointer: string;
}

export interface TaskView {
  readonly id: string | undefined;
  readonly contextId: string | undefined;
  readonly status: StatusView;
  /** Undefined where the member is absent: absence and `[]` differ. */
  readonly artifacts: readonly ArtifactView[] | undefined;
  readonly history: readonly MessageView[] | undefined;
  readonly value: JsonObject;
}

export interface StatusUpdateView {
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  readonly status: StatusView;
  /** 0.x only. */
  readonly final: Json | undefined;
  readonly value: JsonObject;
}

export interface ArtifactUpdateView {
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  readonly artifact: ArtifactView | undefined;
  readonly append: boolean;
  readonly lastChunk: boolean;
  readonly value: JsonObject;
}

export interface PushConfigView {
  readonly taskId: string | undefined;
  readonly id: string | undefined;
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly scheme: string | undefined;
  readonly credentials: string | undefined;
  /** Inline in a send, or by an operation of its own. */
  readonly inline: boolean;
  readonly value: JsonObject;
}

export interface CardInterface {
  readonly url: string | undefined;
  readonly binding: Binding | undefined;
  readonly rawBinding: Json | undefined;
  readonly version: ProtocolVersion | undefined;
  readonly rawVersion: Json | undefined;
  readonly tenant: string | undefined;
  readonly pointer: string;
}

export interface CardView {
  readonly version: ProtocolVersion;
  readonly name: string | undefined;
  /** In the card's order of preference. For 0.x: the main `url`, then `additionalInterfaces`. */
  readonly interfaces: readonly CardInterface[];
  /** Interfaces in the 0.x members of a 1.0 card, for older clients; empty for 0.x cards. */
  readonly legacyInterfaces: readonly CardInterface[];
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedCard: boolean;
  /** URIs of the extensions that callers have to ask for. */
  readonly requiredExtensions: readonly string[];
  /** URIs of the extensions that callers may ask for. */
  readonly offeredExtensions: readonly string[];
  readonly extended: boolean;
  readonly value: JsonObject;
}
