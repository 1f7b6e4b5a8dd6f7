import type { CardView, DecodedExchange, Payload, StreamEvent } from '@plugfest/a2a';
import type {
  CapturedExchange,
  Dialect,
  ExchangeId,
  Operation,
  ProtocolVersion,
  TaskState,
} from '@plugfest/model';

export interface StreamSubject {
  readonly exchange: DecodedExchange;
  readonly dialect: Dialect;
  readonly operation: 'SendStreamingMessage' | 'SubscribeToTask';
  readonly events: readonly StreamEvent[];
  /** Task, message and update payloads of the events, in order. */
  readonly payloads: readonly Payload[];
  /** The stream ended by itself, and all of it is in the capture. */
  readonly complete: boolean;
}

export interface CardSubject {
  readonly exchange: DecodedExchange;
  readonly card: CardView;
  /** From the well-known path, or by the extended-card operation. */
  readonly extended: boolean;
}

/** A pointer to the exchange that an observation comes from; the exchange itself is not kept. */
export interface Sighting {
  readonly exchange: CapturedExchange;
  readonly seq: number;
  readonly atNs: number;
  readonly side: 'request' | 'response';
  readonly event?: number;
  readonly pointer: string;
}

export type Channel = 'send' | 'stream' | 'subscribe' | 'get' | 'list' | 'cancel' | 'webhook';

export interface PartDigest {
  readonly kind: string;
  readonly mediaType: string | undefined;
  /** The text of a text part of up to 4 KiB. */
  readonly text: string | undefined;
  /** SHA-256 of the part's content, first 16 hex digits. */
  readonly digest: string;
}

export interface ArtifactDigest {
  readonly artifactId: string | undefined;
  readonly name: string | undefined;
  readonly parts: readonly PartDigest[];
}

/** One look at a task: in a response, an event or a delivery. */
export interface TaskObservation extends Sighting {
  readonly channel: Channel;
  readonly kind: 'task' | 'statusUpdate' | 'artifactUpdate';
  readonly version: ProtocolVersion;
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

export interface TaskHistory {
  readonly agent: string;
  readonly id: string;
  readonly version: ProtocolVersion;
  /** In order of arrival at the proxy. */
  readonly observations: readonly TaskObservation[];
  readonly actions: readonly ClientAction[];
  readonly configs: readonly PushConfigRecord[];
  readonly deliveries: readonly ExchangeId[];
}

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
  /** When its deletion was answered. */
  readonly deletedAtNs: number | undefined;
}

export interface WebhookSubject {
  readonly exchange: DecodedExchange;
  readonly payload: Payload | undefined;
  readonly taskId: string | undefined;
  /** Accepted configs for the URL that was called, of any task; empty where the registration was not seen. */
  readonly configs: readonly PushConfigRecord[];
  /** The one that names this task. */
  readonly config: PushConfigRecord | undefined;
  readonly task: TaskHistory | undefined;
}
