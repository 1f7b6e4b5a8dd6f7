import type { DecodedExchange, JsonBody } from '@plugfest/a2a';
import { type FindingLocation, header } from '@plugfest/model';

/** A protobuf message of a call, and where it lies. */
export interface CallMessage {
  readonly json: JsonBody;
  readonly at: FindingLocation & { readonly pointer: string };
}

/** The messages of a call: the request, then the response or the events of a stream. */
export function messagesOf({ request, response }: DecodedExchange): readonly CallMessage[] {
  const all: CallMessage[] = [];
  if (request.json.state !== 'absent') all.push({ json: request.json, at: { side: 'request', pointer: '' } });
  if (response === undefined || !response.mediaType.startsWith('application/grpc')) return all;
  if (response.json.state !== 'absent')
    all.push({ json: response.json, at: { side: 'response', pointer: '' } });
  for (const { index, json } of response.events ?? [])
    all.push({ json, at: { side: 'response', event: index, pointer: '' } });
  return all;
}

/** The recorder wrote messages as JSON: what their bytes, heads and frames were, nobody knows. */
export const isWrittenAsJson = ({ captured }: DecodedExchange): boolean =>
  captured.edge.mode === 'import' && header(captured.request.headers, 'x-plugfest-grpc-json') !== undefined;
