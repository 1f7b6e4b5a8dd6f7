import type { Json } from '@plugfest/model';

/** One exchange of an example, in the plain exchange format (see the design of the NDJSON import). */
export interface ExampleExchange {
  readonly from: string;
  readonly to: string;
  readonly at?: string;
  /** `probe`: the caller breaks rules here on purpose, so that only the answer is judged. */
  readonly purpose?: 'normal' | 'probe';
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Json;
    readonly body_raw?: string;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Json;
    readonly body_raw?: string;
    readonly body_base64?: string;
    readonly sse?: readonly (
      | { readonly data: Json }
      | { readonly raw: string }
      | { readonly raw_base64: string }
    )[];
    readonly end?: 'closed' | 'reset' | 'client-abort' | 'open';
  };
}

/** A small capture: exchanges in order of observation. */
export type Example = readonly ExampleExchange[];
