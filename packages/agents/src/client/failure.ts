import { isJsonRpcError, isRestError } from '@a2a-js/sdk/errors';
import { isGrpcError } from '@a2a-js/sdk/errors/grpc';

export interface Failure {
  readonly name: string;
  readonly code?: number;
  readonly message: string;
}

/** What went wrong, by the A2A error's name where the SDK knows it, else by the class of the error. */
export function failureOf(error: unknown): Failure {
  if (isJsonRpcError(error)) return { name: error.name, code: error.envelopeCode, message: error.message };
  if (isRestError(error)) return { name: error.name, code: error.statusCode, message: error.message };
  if (isGrpcError(error)) return { name: error.name, code: error.status, message: error.message };
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  // An error frame in a JSON-RPC stream: the SDK hides the A2A error in the cause.
  if (isJsonRpcError(error.cause)) return failureOf(error.cause);
  const reason = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return { name: error.name, message: error.message + reason };
}
