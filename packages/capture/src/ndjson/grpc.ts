import { grpcStatusNames, header, mediaType, type RawHeaders } from '@plugfest/model';

/**
 * gRPC lines hold decoded messages. They are imported as an exchange of `application/grpc` whose bodies are JSON, one
 * message a line, one chunk a message; this request and response header says so.
 */
export const grpcJsonHeader = 'x-plugfest-grpc-json';

/** Trailer that holds the details of a status as JSON, in place of `grpc-status-details-bin`. */
export const grpcDetailsTrailer = 'x-plugfest-grpc-details-json';

/** The number of a status given as a name or a number; undefined where it is neither. */
export function grpcStatusOf(status: string): number | undefined {
  const index = (grpcStatusNames as readonly string[]).indexOf(status.toUpperCase());
  if (index !== -1) return index;
  return /^\d{1,2}$/.test(status) && Number(status) < grpcStatusNames.length ? Number(status) : undefined;
}

/** gRPC needs HTTP/2; of anything else a line says nothing. */
export const usualVersion = (headers: RawHeaders): string =>
  /^application\/grpc(?!-web)/.test(mediaType(header(headers, 'content-type'))) ? '2.0' : '1.1';
