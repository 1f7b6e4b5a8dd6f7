import type { Binding, Json, JsonObject, ProtocolVersion, TaskState } from '@plugfest/model';

/** What a scenario can ask of a client. The members are those of `call` in docs/lab-agents.md, section Drive calls. */
export type DriveCall =
  | { readonly op: 'GetAgentCard' }
  | {
      readonly op: 'SendMessage';
      readonly message: DriveMessage;
      readonly configuration?: DriveConfiguration;
    }
  | {
      readonly op: 'SendStreamingMessage';
      readonly message: DriveMessage;
      readonly configuration?: DriveConfiguration;
      /** Drop the stream after so many events. */
      readonly stopAfterEvents?: number;
    }
  | { readonly op: 'GetTask'; readonly taskId: string; readonly historyLength?: number }
  | { readonly op: 'CancelTask'; readonly taskId: string }
  | { readonly op: 'SubscribeToTask'; readonly taskId: string; readonly stopAfterEvents?: number }
  | { readonly op: 'CreateTaskPushNotificationConfig'; readonly taskId: string; readonly push: DrivePush }
  | {
      readonly op: 'GetTaskPushNotificationConfig' | 'DeleteTaskPushNotificationConfig';
      readonly taskId: string;
      readonly configId: string;
    }
  | { readonly op: 'ListTaskPushNotificationConfigs'; readonly taskId: string }
  /** 1.0 only. */
  | {
      readonly op: 'ListTasks';
      readonly contextId?: string;
      readonly status?: TaskState;
      readonly pageSize?: number;
      readonly pageToken?: string;
      readonly historyLength?: number;
      readonly includeArtifacts?: boolean;
    }
  | { readonly op: 'GetExtendedAgentCard' };

/** A part beside the text and data of a message; `raw` is base64. */
export type DrivePart = (
  | { readonly text: string }
  | { readonly raw: string }
  | { readonly url: string }
  | { readonly data: Json }
) & { readonly mediaType?: string; readonly filename?: string };

/** On whose behalf a call is made, and what it asks for beside the call itself. */
export interface CallOptions {
  /** A principal of the lab (`auth: bearer`), or `nobody`: without a token. Absent: the first principal. */
  readonly as?: string;
  /** URIs of extensions that the client asks for, beside those that the card requires. */
  readonly extensions?: readonly string[];
  /** It does not even ask for those that the card requires. */
  readonly ignoresRequired?: boolean;
}

export interface DriveMessage {
  readonly messageId: string;
  readonly text?: string;
  readonly data?: JsonObject;
  /** After text and data. */
  readonly parts?: readonly DrivePart[];
  readonly taskId?: string;
  readonly contextId?: string;
  readonly referenceTaskIds?: readonly string[];
}

export interface DriveConfiguration {
  readonly returnImmediately?: boolean;
  readonly historyLength?: number;
  readonly acceptedOutputModes?: readonly string[];
  readonly push?: DrivePush;
}

export interface DrivePush {
  readonly url: string;
  readonly id?: string;
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

export interface DriveArtifact {
  readonly artifactId: string;
  readonly name?: string;
  /** Of its text parts, joined. */
  readonly text: string;
  /** Its parts. Plugfest's own client tells them, a drive result may. */
  readonly contents?: readonly DriveContent[];
}

export interface DriveContent {
  readonly kind: 'text' | 'raw' | 'url' | 'data' | 'unknown';
  readonly mediaType?: string;
  readonly filename?: string;
  /** Text, base64, URL or JSON, as `kind` says. */
  readonly content?: Json;
}

/** What the client saw, in order. The same for 0.3 and 1.0. */
export type DriveEvent =
  | TaskEvent
  | {
      readonly kind: 'message';
      readonly messageId: string;
      readonly taskId?: string;
      readonly contextId?: string;
      readonly role: string;
      readonly text: string;
    }
  | StatusEvent
  | ArtifactEvent
  | {
      readonly kind: 'card';
      readonly name: string;
      readonly versions: readonly string[];
      readonly bindings: readonly string[];
      /** Ids of its skills. */
      readonly skills: readonly string[];
    }
  /** After the tasks of a list. */
  | { readonly kind: 'page'; readonly nextPageToken: string; readonly totalSize?: number }
  | { readonly kind: 'pushConfig'; readonly taskId: string; readonly id: string; readonly url: string }
  | { readonly kind: 'closed'; readonly by: 'server' | 'client' }
  /** Something that the agent's SDK gave without saying what it is. */
  | { readonly kind: 'unknown' };

export interface TaskEvent {
  readonly kind: 'task';
  readonly taskId: string;
  readonly contextId: string;
  readonly state: TaskState;
  readonly text: string;
  readonly artifacts: readonly DriveArtifact[];
  /** How many messages its history has, where the client tells it. */
  readonly history?: number;
}

export interface StatusEvent {
  readonly kind: 'status';
  readonly taskId: string;
  readonly contextId: string;
  readonly state: TaskState;
  readonly text: string;
}

export interface ArtifactEvent {
  readonly kind: 'artifact';
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: DriveArtifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
}

export interface DriveError {
  readonly name: string;
  readonly code?: number;
  readonly message: string;
}

/** A refusal is a result. Events may stand beside an error: a stream that failed half-way. */
export interface DriveResult {
  readonly ok: boolean;
  readonly events: readonly DriveEvent[];
  readonly error?: DriveError;
}

export interface Dialect {
  readonly binding: Binding;
  readonly version: Extract<ProtocolVersion, '1.0' | '0.3' | '0.1'>;
}

/** A client that calls one server in one dialect: an agent's own, or Plugfest's. */
export interface Driver {
  /** Participant name of who calls. */
  readonly client: string;
  /** @throws DriveFailure where the client itself gave no usable answer, ClientLacks where it has no such call. */
  call(call: DriveCall, signal: AbortSignal, options?: CallOptions): Promise<DriveResult>;
}

/** The client did not do what it was told, or its answer cannot be read. The message is one sentence. */
export class DriveFailure extends Error {
  override readonly name = 'DriveFailure';
  /** What it shows not to hold. */
  readonly check: string = 'the client does what it is told';
}

/** The client was not even told: the resolvers of SDKs look for cards at the well-known path only. */
export class CardElsewhere extends DriveFailure {
  override readonly check = "the server's card is at the path where an SDK's resolver looks for it";
}

/** The client says that its SDK has no such call (docs/lab-agents.md): it cannot take part, and nothing went wrong. */
export class ClientLacks extends Error {
  override readonly name = 'ClientLacks';
}
