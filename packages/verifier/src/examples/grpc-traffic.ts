import type { Json } from '@plugfest/model';
import type { GrpcExampleExchange, HttpExampleExchange } from './example.ts';

interface GrpcCall {
  readonly version?: '0.3' | '1.0';
  /** Name of the RPC, or a whole path where it begins with `/`. */
  readonly method: string;
  readonly request?: Json;
  /** Added to, or (as `undefined`) taken from the metadata that belong there. */
  readonly metadata?: Readonly<Record<string, string | undefined>>;
  readonly trailers?: Readonly<Record<string, string>>;
  readonly from?: string;
  readonly to?: string;
  /** `probe`: what is wrong with the request is so on purpose. */
  readonly purpose?: 'probe';
}

const services = { '0.3': 'a2a.v1.A2AService', '1.0': 'lf.a2a.v1.A2AService' } as const;

function pathOf({ method, version = '1.0' }: Pick<GrpcCall, 'method' | 'version'>): string {
  return method.startsWith('/') ? method : `/${services[version]}/${method}`;
}

function metadataOf({ metadata = {}, version = '1.0' }: Omit<GrpcCall, 'request'>): Record<string, string> {
  const all: Record<string, string> = {};
  const base = version === '1.0' ? { 'a2a-version': '1.0' } : {};
  for (const [name, value] of Object.entries({ ...base, ...metadata }))
    if (value !== undefined) all[name] = value;
  return all;
}

function exchange(
  call: GrpcCall,
  answer: Pick<GrpcExampleExchange['grpc'], 'response' | 'status' | 'details'>,
): GrpcExampleExchange {
  return {
    from: call.from ?? 'client',
    to: call.to ?? 'agent',
    ...(call.purpose === undefined ? {} : { purpose: call.purpose }),
    grpc: {
      method: pathOf(call),
      metadata: metadataOf(call),
      ...(call.request === undefined ? {} : { request: call.request }),
      ...answer,
      ...(call.trailers === undefined ? {} : { trailers: call.trailers }),
    },
  };
}

/** A gRPC call and its answer. */
export function grpc(call: GrpcCall & { readonly response?: Json }): GrpcExampleExchange {
  return exchange(call, { response: call.response ?? {}, status: 'OK' });
}

/** A gRPC call answered by a stream. `status: null` leaves its end out: it is still open, or was lost. */
export function grpcStream(
  call: GrpcCall & { readonly events: readonly Json[]; readonly status?: string | null },
): GrpcExampleExchange {
  const { status = 'OK' } = call;
  return exchange(call, { response: [...call.events], ...(status === null ? {} : { status }) });
}

/** A gRPC call that fails; `details` are the typed objects of `grpc-status-details-bin`. */
export function grpcError(
  call: GrpcCall & {
    /** Name of the status code. */
    readonly status: string;
    readonly message?: string;
    readonly details?: readonly Json[];
    /** Events before the failure. */
    readonly events?: readonly Json[];
  },
): GrpcExampleExchange {
  const { status, message, details, events } = call;
  const trailers = {
    ...(message === undefined ? {} : { 'grpc-message': encodeURIComponent(message) }),
    ...call.trailers,
  };
  return exchange(
    { ...call, ...(Object.keys(trailers).length === 0 ? {} : { trailers }) },
    {
      ...(events === undefined ? {} : { response: [...events] }),
      status,
      ...(details === undefined ? {} : { details }),
    },
  );
}

/** A message in its frame: one byte of flags, four of length. */
export function grpcFrame(message: Uint8Array, flags = 0): Uint8Array {
  const head = Buffer.alloc(5, flags);
  head.writeUInt32BE(message.byteLength, 1);
  return Buffer.concat([head, message]);
}

/** A gRPC call as the bytes of HTTP/2. Frames are given whole, see `grpcFrame`. */
export function grpcBytes(
  call: Omit<GrpcCall, 'request'> & {
    readonly request: readonly Uint8Array[];
    readonly response?: readonly Uint8Array[];
    readonly responseHeaders?: Readonly<Record<string, string>>;
    readonly origin?: string;
    readonly httpVersion?: string;
    readonly end?: 'closed' | 'reset' | 'client-abort' | 'open';
  },
): HttpExampleExchange {
  const { request, response, responseHeaders, origin = 'https://agent.example', httpVersion, end } = call;
  const trailers = call.trailers ?? { 'grpc-status': '0' };
  return {
    from: call.from ?? 'client',
    to: call.to ?? 'agent',
    ...(call.purpose === undefined ? {} : { purpose: call.purpose }),
    request: {
      method: 'POST',
      url: origin + pathOf(call),
      ...(httpVersion === undefined ? {} : { http_version: httpVersion }),
      headers: { 'content-type': 'application/grpc', te: 'trailers', ...metadataOf(call) },
      body_base64: Buffer.concat(request).toString('base64'),
    },
    ...(response === undefined
      ? {}
      : {
          response: {
            status: 200,
            headers: { 'content-type': 'application/grpc', ...responseHeaders },
            body_base64: Buffer.concat(response).toString('base64'),
            trailers,
            ...(end === undefined ? {} : { end }),
          },
        }),
  };
}
