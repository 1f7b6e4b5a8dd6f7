import type { Dialect, JsonObject, Operation } from '@plugfest/model';

export interface RequestSpec {
  readonly dialect: Dialect;
  readonly operation: Operation;
  /** The 1.0 request message of the operation, in JSON; mapped to older shapes where the dialect asks for it. */
  readonly params?: JsonObject;
  /** JSON-RPC id. */
  readonly id: string | number;
  /** The interface's URL. */
  readonly baseUrl: string;
  /** The interface's tenant: a member in JSON-RPC, a path segment in HTTP+JSON. */
  readonly tenant?: string;
}

/** A request ready to be sent. Header names are in lower case. */
export interface EncodedRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}
