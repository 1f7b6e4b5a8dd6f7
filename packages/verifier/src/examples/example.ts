import type { Json } from '@plugfest/model';

interface ExampleParties {
  readonly from: string;
  readonly to: string;
  readonly at?: string;
  /** Name of the connection that carried it. */
  readonly connection?: string;
  /** `probe`: the caller breaks rules here on purpose, so that only the answer is judged. */
  readonly purpose?: 'normal' | 'probe';
}

/** An exchange as HTTP carries it. */
export interface HttpExampleExchange extends ExampleParties {
  readonly request: {
    readonly method: string;
    readonly url: string;
    /** `1.1` where it is left out, and `2.0` for gRPC. */
    readonly http_version?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Json;
    readonly body_raw?: string;
    readonly body_base64?: string;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Json;
    readonly body_raw?: string;
    readonly body_base64?: string;
    readonly sse?: readonly (
      | { readonly data: Json; readonly at?: string }
      | { readonly raw: string; readonly at?: string }
      | { readonly raw_base64: string; readonly at?: string }
    )[];
    readonly trailers?: Readonly<Record<string, string>>;
    readonly end?: 'closed' | 'reset' | 'client-abort' | 'open';
  };
}

/** A gRPC call with its messages as ProtoJSON. */
export interface GrpcExampleExchange extends ExampleParties {
  readonly grpc: {
    /** The path of the call, `/package.Service/Method`. */
    readonly method: string;
    readonly metadata?: Readonly<Record<string, string>>;
    readonly request?: Json;
    /** The one message, or an array of those of a stream. */
    readonly response?: Json;
    /** When each message of a stream came. */
    readonly response_at?: readonly string[];
    /** Name of the status code; without it the end of the call was not seen. */
    readonly status?: string;
    readonly trailers?: Readonly<Record<string, string>>;
    /** What `grpc-status-details-bin` holds, decoded. */
    readonly details?: readonly Json[];
  };
}

/** One exchange of an example, in the plain exchange format (see the design of the NDJSON import). */
export type ExampleExchange = HttpExampleExchange | GrpcExampleExchange;

/** A small capture: exchanges in order of observation. */
export type Example = readonly ExampleExchange[];
