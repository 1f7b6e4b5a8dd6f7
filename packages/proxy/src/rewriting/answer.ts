/** What a response may hold that has to be rewritten, as far as its request tells. */
export interface Answer {
  readonly what: 'card' | 'push-config';
  /** The whole body, the `result` of a JSON-RPC response, or a message of gRPC. */
  readonly within: 'root' | 'result' | 'grpc';
  /** Path of the RPC; for gRPC only. */
  readonly rpc?: string;
}

export const cardAsBody: Answer = { what: 'card', within: 'root' };
export const cardAsResult: Answer = { what: 'card', within: 'result' };
export const configAsBody: Answer = { what: 'push-config', within: 'root' };
export const configAsResult: Answer = { what: 'push-config', within: 'result' };
