import { readJwkSet } from '@plugfest/a2a';
import type { HttpClient } from '../client/http.ts';
import { NetworkError } from '../client/network-error.ts';
import type { Address } from '../client/raw-client.ts';

/**
 * Fetches an agent's JWK set through its tap: then the capture holds what its card's signatures are verified by.
 * Returns why it is not there, one sentence; undefined where it is.
 */
export async function fetchKeys(
  path: string,
  { name, origin, headers }: Address,
  http: HttpClient,
  signal: AbortSignal,
): Promise<string | undefined> {
  const where = `the JWK set of ${name} (${path})`;
  const wanted = {
    method: 'GET',
    url: origin + path,
    headers: { accept: 'application/json', ...headers },
  } as const;
  try {
    const answer = await http.fetch(wanted, AbortSignal.any([signal, AbortSignal.timeout(10_000)]));
    if (answer.status !== 200) return `${where} is answered with HTTP ${answer.status}`;
    return readJwkSet(parsed(answer.text)) ? undefined : `${where} is none`;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NetworkError) return `${where} cannot be fetched (${error.message})`;
    if (error instanceof DOMException) return `${where} does not come within 10 s`;
    throw error;
  }
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
