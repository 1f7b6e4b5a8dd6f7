import type { DecodedExchange, ErrorView } from '@plugfest/a2a';

/**
 * HTTP statuses under which the agent itself has answered. 401, 403, 404, 405, 429, 502 to 504 and the like may come
 * from whatever stands before it; a JSON-RPC envelope under them is the agent's all the same.
 */
function isAgentStatus(status: number): boolean {
  return status < 300 || status === 400 || status === 422 || status === 500;
}

/** True where the unary response is the agent's own, and so has to be a JSON-RPC response. */
export function isAgentAnswer({ response }: DecodedExchange): boolean {
  if (response === undefined || response.events !== undefined) return false;
  return isAgentStatus(response.status) || response.rpc?.members.includes('jsonrpc') === true;
}

/** An error that the agent gave, and the stream event that holds it. */
export interface GivenError {
  readonly error: ErrorView;
  readonly event: number | undefined;
}

/** JSON-RPC errors in a response: of the envelope, or of stream events. */
export function errorsOf(exchange: DecodedExchange): readonly GivenError[] {
  const { response } = exchange;
  if (response === undefined) return [];
  const errors: GivenError[] = [];
  if (
    isAgentAnswer(exchange) &&
    response.rpc?.members.includes('error') === true &&
    response.error !== undefined
  )
    errors.push({ error: response.error, event: undefined });
  for (const { index, rpc, error } of response.events ?? [])
    if (rpc?.members.includes('error') === true && error !== undefined) errors.push({ error, event: index });
  return errors;
}
