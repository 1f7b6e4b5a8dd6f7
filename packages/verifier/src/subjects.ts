import type { BodyState, CardView, DecodedExchange, ErrorView, Payload, StreamEvent } from '@plugfest/a2a';
import type {
  Binding,
  CapturedExchange,
  Dialect,
  Operation,
  ProtocolVersion,
  RawHeaders,
  TaskState,
} from '@plugfest/model';

/** An exchange that means something in A2A, so that its dialect is known. */
export interface SpokenExchange extends DecodedExchange {
  readonly dialect: Dialect;
}

/** A stream from its first event to its last. */
export interface StreamSubject {
  readonly exchange: SpokenExchange;
  readonly dialect: Dialect;
  readonly operation: 'SendStreamingMessage' | 'SubscribeToTask';
  readonly events: readonly StreamEvent[];
  /** Task, message and update payloads of the events, in order. */
  readonly payloads: readonly Payload[];
  /** The stream ended by itself, and all of it is in the capture. */
  readonly complete: boolean;
}

/** A card that an agent gave, each time that it did. */
export interface CardSubject {
  readonly exchange: SpokenExchange;
  readonly card: CardView;
  /** From the well-known path, or by the extended-card operation. */
  readonly extended: boolean;
}

/** What findings say of an exchange. */
export interface ExchangeIdentity extends Pick<CapturedExchange, 'id' | 'seq' | 'edge' | 'purpose'> {
  readonly cell?: CapturedExchange['cell'] | undefined;
}

/** What is kept of an exchange when it has been judged: its place in the capture, no head and no body. */
export interface ExchangeRef extends ExchangeIdentity {
  /** When the request went out, in monotonic ns of the run. */
  readonly startNs: number;
  /** `Authorization` of the request, as far as it is stored: equal for equal credentials. */
  readonly credentials?: string | undefined;
  /** The source format does not say when the events of its stream came; they all have the time of its end. */
  readonly eventTimesLost?: boolean;
}

/** Where and when something was seen. */
export interface Sighting {
  readonly exchange: ExchangeRef;
  readonly seq: number;
  readonly atNs: number;
  readonly side: 'request' | 'response';
  readonly event: number | undefined;
  readonly pointer: string;
}

/** A card that an agent showed to a caller at a place; however often, it is kept once. */
export interface CardSighting {
  /** The first fetch, or the first one after the agent had shown another card there. */
  readonly exchange: ExchangeRef;
  readonly caller: string;
  readonly path: string;
  /** JSON pointer to the card inside the response body. */
  readonly pointer: string;
  /** One object for all sightings of equal cards. */
  readonly card: CardView;
  readonly extended: boolean;
}

/** A fetch of a card that was answered with a client error. */
export interface RefusedFetch {
  readonly exchange: ExchangeRef;
  readonly path: string;
  readonly status: number;
}

/** What one caller did to find the card of one agent. */
export interface Discovery {
  readonly caller: string;
  readonly agent: string;
  /** The first request for the card. */
  readonly exchange: ExchangeRef;
  /** By path, the first requests that were refused. */
  readonly refused: readonly RefusedFetch[];
  /** The caller got a card in the end. */
  readonly found: boolean;
  /** The agent served it an operation, with a card or without. */
  readonly called: boolean;
}

/** By which call, or by a webhook, something of a task was seen. */
export type Channel = 'send' | 'stream' | 'subscribe' | 'get' | 'list' | 'cancel' | 'webhook';

export interface PartDigest {
  readonly kind: string;
  readonly mediaType: string | undefined;
  /** The text of a text part of up to 4 KiB. */
  readonly text: string | undefined;
  /** SHA-256 of the part's content, first 16 hex digits. */
  readonly digest: string;
}

/** An artifact as the index keeps it: enough to tell whether it is the same, and not its content. */
export interface ArtifactDigest {
  readonly artifactId: string | undefined;
  readonly name: string | undefined;
  readonly parts: readonly PartDigest[];
  /** Names of the members of its metadata, sixteen at most. */
  readonly metadata: readonly string[];
}

/** One look at a task: in a response, an event or a delivery. */
export interface TaskObservation extends Sighting {
  readonly channel: Channel;
  /** For deliveries: key of the URL that was called. */
  readonly webhook: string | undefined;
  readonly kind: 'task' | 'statusUpdate' | 'artifactUpdate';
  readonly version: ProtocolVersion;
  readonly binding: Binding;
  readonly state: TaskState | undefined;
  readonly timestamp: string | undefined;
  readonly contextId: string | undefined;
  /** For `task`: undefined where the member was absent. For `artifactUpdate`: the one artifact. */
  readonly artifacts: readonly ArtifactDigest[] | undefined;
  readonly append: boolean;
  readonly lastChunk: boolean;
  readonly statusMessage:
    | {
        readonly role: string | undefined;
        readonly taskId: string | undefined;
        readonly contextId: string | undefined;
      }
    | undefined;
  readonly historyLength: number | undefined;
  /** The newest message of the history. */
  readonly lastMessageId: string | undefined;
}

/** A page of a task list that gave a token for the next one. */
export interface ListPage {
  readonly exchange: ExchangeRef;
  /** What was asked for, the same text for the same filters. */
  readonly filters: string;
  readonly totalSize: number | undefined;
  /** Ids of the listed tasks, in their order. */
  readonly taskIds: readonly string[];
  /** Of the listed tasks that show one: the time of the status, as written. */
  readonly timestamps: readonly string[];
  /** From 1. */
  readonly number: number;
  /** The page before it, where it is still remembered. */
  readonly before: ListPage | undefined;
}

/** A message that had come to the caller of an exchange, and that it sends on there as it was. */
export interface HandedOn {
  readonly exchange: ExchangeRef;
  readonly version: ProtocolVersion;
  readonly a2aVersion: string | undefined;
  readonly headers: RawHeaders;
  /** The error that its sender got, if one. */
  readonly error: ErrorView | undefined;
  /** When the answer to its sender began, in a capture that has times. */
  readonly answeredAtNs: number | undefined;
  /** When the first event came to its sender, where it got a stream and its times are known. */
  readonly firstEventAtNs: number | undefined;
}

/** A stream that showed a task. */
export interface TaskStream {
  readonly exchange: ExchangeRef;
  /** When the exchange ended, by whomever; undefined where the record ended first. */
  readonly endedAtNs: number | undefined;
  /** It ended by itself, and all of it is in the capture. */
  readonly complete: boolean;
  readonly timesSynthetic: boolean;
}

/** Something a client asked of a task. */
export interface ClientAction extends Sighting {
  readonly operation: Operation;
  readonly messageId: string | undefined;
  readonly contextId: string | undefined;
  /** The server answered with something else than an error. */
  readonly accepted: boolean;
  /** The task's state or stream was answered at this time. */
  readonly answeredAtNs: number | undefined;
}

/** All that was seen of one task of one agent. */
export interface TaskHistory {
  readonly agent: string;
  readonly id: string;
  readonly version: ProtocolVersion;
  /** In order of arrival at the proxy. */
  readonly observations: readonly TaskObservation[];
  readonly actions: readonly ClientAction[];
  /** Undefined where no stream showed it. */
  readonly streams: readonly TaskStream[] | undefined;
}

/** All that was seen of one context of one agent. */
export interface ContextHistory {
  readonly agent: string;
  readonly id: string;
  readonly version: ProtocolVersion;
  /** Ids of the tasks seen in it, in order of first sight. */
  readonly taskIds: readonly string[];
  /** First time that the agent named it, and first time that a client did. */
  readonly firstFromServer: Sighting | undefined;
  readonly firstFromClient: Sighting | undefined;
}

/** A push config that an agent accepted, with when that was seen. */
export interface PushConfigRecord extends Sighting {
  readonly agent: string;
  readonly version: ProtocolVersion;
  /** Undefined until an inline config's task is known. */
  readonly taskId: string | undefined;
  readonly id: string | undefined;
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly scheme: string | undefined;
  readonly credentials: string | undefined;
  readonly inline: boolean;
  readonly accepted: boolean;
  /** A proxy changed the request on its way, perhaps the URL in it. */
  readonly mapped: boolean;
  /** When its registration was answered. */
  readonly answeredAtNs: number | undefined;
  /** Trace id of the request that registered it. */
  readonly traceId: string | undefined;
  /** When its deletion was answered. */
  readonly deletedAtNs: number | undefined;
}

/** A push delivery, without its body. */
export interface Delivery {
  readonly exchange: ExchangeRef;
  readonly timesSynthetic: boolean;
  readonly version: ProtocolVersion;
  /** Key of the URL that was called. */
  readonly webhook: string;
  readonly method: string;
  readonly headers: RawHeaders;
  readonly mediaType: string;
  readonly body: {
    readonly state: BodyState;
    /** For `invalid`: what the parser said. */
    readonly problem: string | undefined;
    /** The start of the text, to be shown as evidence. */
    readonly start: string;
    /** Nothing but white space. */
    readonly blank: boolean;
    /** Names of the members that are not `null`; undefined where the body is no object. */
    readonly members: readonly string[] | undefined;
  };
  readonly payload: Pick<Payload, 'kind' | 'pointer'> | undefined;
  readonly taskId: string | undefined;
  readonly status: number | undefined;
}

/** A delivery to a webhook, with what was registered for it. */
export interface WebhookSubject {
  readonly delivery: Delivery;
  readonly taskId: string | undefined;
  /** Accepted configs for the URL that was called, of any task, sixteen at most; none where no registration was seen. */
  readonly configs: readonly PushConfigRecord[];
  /** The one that names this task. */
  readonly config: PushConfigRecord | undefined;
  readonly task: TaskHistory | undefined;
}
