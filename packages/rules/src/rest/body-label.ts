import type { DecodedExchange } from '@plugfest/a2a';

/** A JSON body of an HTTP+JSON call, and how it is labelled. */
export interface LabelledBody {
  readonly side: 'request' | 'response';
  readonly mediaType: string;
}

/** The bodies that the two sides labelled: JSON, or what ought to be JSON. Streams and others' errors are left out. */
export function labelledBodies({ request, response }: DecodedExchange): readonly LabelledBody[] {
  const bodies: LabelledBody[] = [];
  if (request.json.state === 'ok') bodies.push({ side: 'request', mediaType: request.mediaType });
  if (response !== undefined && response.events === undefined && response.json.state === 'ok') {
    // A failure without an error in A2A's form may be somebody else's page: see ERR-011 and ERR-017.
    if (response.status < 300 || response.error?.pointer === '/error')
      bodies.push({ side: 'response', mediaType: response.mediaType });
  }
  return bodies;
}
