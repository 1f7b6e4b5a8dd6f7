import type { Json, JsonObject, Operation } from '@plugfest/model';

export interface Parties {
  readonly from: string;
  readonly to: string;
  readonly at?: string;
  readonly purpose?: 'normal' | 'probe';
}

/** Headers beyond those that belong to every call of the dialect. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** What an example's exchange says, in 1.0 objects, whatever it was written in. */
export type Meaning = Call | CardFetch | Delivery;

export interface Call {
  readonly kind: 'call';
  readonly parties: Parties;
  readonly operation: Operation;
  readonly params: JsonObject | undefined;
  /** What `A2A-Version` says, where it is not what a 1.0 call says; null: there is none. */
  readonly announced: string | null | undefined;
  readonly headers: ExtraHeaders;
  readonly responseHeaders: ExtraHeaders;
  /** The interface's URL where it is not the usual one. */
  readonly url: string | undefined;
  /** JSON-RPC id, or what else one binding has and no other needs. */
  readonly own: {
    readonly id?: Json;
    readonly verb?: string;
    readonly emptyBody?: boolean;
    /** A streaming call that does not say that it takes a stream. */
    readonly quiet?: boolean;
  };
  readonly answer: Answer;
}

export type Answer =
  | { readonly kind: 'none' }
  /** A result in its 1.0 form; undefined where there is nothing to say (a deletion). */
  | { readonly kind: 'result'; readonly value: Json | undefined }
  | { readonly kind: 'error'; readonly error: CallError }
  | {
      readonly kind: 'stream';
      /** StreamResponse objects; and SSE text that is none, whatever it is. */
      readonly items: readonly (JsonObject | string)[];
      /** When the items came, where the example says so. */
      readonly times: readonly (string | undefined)[];
      /** HTTP status, where it is not 200. */
      readonly status?: number;
      readonly end: StreamEnd;
    }
  /** Refused by whatever stands before the agent's A2A code: no A2A body. */
  | { readonly kind: 'refusal'; readonly status: number; readonly body?: Json; readonly text?: string };

export type StreamEnd = 'closed' | 'reset' | 'client-abort' | 'open';

export interface CallError {
  /** JSON-RPC code. */
  readonly code: number;
  readonly message: string;
  readonly details: Json | undefined;
}

export interface CardFetch {
  readonly kind: 'card';
  readonly parties: Parties;
  readonly url: string;
  readonly headers: ExtraHeaders;
  readonly status: number;
  readonly responseHeaders: ExtraHeaders;
  /** In its 1.0 form; undefined where there is no body. */
  readonly card: JsonObject | undefined;
}

export interface Delivery {
  readonly kind: 'delivery';
  readonly parties: Parties;
  readonly verb: string;
  readonly url: string;
  readonly headers: ExtraHeaders;
  /** A StreamResponse. */
  readonly body: JsonObject;
  readonly status: number;
  readonly responseHeaders: ExtraHeaders;
}

export const timeOf = (at: string | undefined): { readonly at?: string } => (at === undefined ? {} : { at });

/** SSE text that says the same in every version and binding that has events: comments, and data that is nothing. */
export const isPlainText = (raw: string): boolean => !/["{]/.test(raw) || raw.startsWith(':');

export const statusOf = (status: number): { readonly status?: number } => (status === 200 ? {} : { status });
