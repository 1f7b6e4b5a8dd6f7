export interface Failure {
  readonly name: string;
  readonly code?: number;
  readonly message: string;
}

/**
 * What went wrong, by the A2A error's name where the SDK knows it, else by the class of the error. The code is
 * where each transport of the SDK leaves it: over HTTP+JSON, nowhere.
 */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const name = error.name === 'Error' ? error.constructor.name : error.name;
  const code = jsonRpcCode(error) ?? grpcCode(error.cause);
  const reason = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return { name, ...(code !== undefined && { code }), message: error.message + reason };
}

function jsonRpcCode(error: Error): number | undefined {
  const { errorResponse } = error as { errorResponse?: { error?: { code?: unknown } } };
  const code = errorResponse?.error?.code;
  return typeof code === 'number' ? code : undefined;
}

function grpcCode(cause: unknown): number | undefined {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'number' ? code : undefined;
}
