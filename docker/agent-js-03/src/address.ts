import { hostname } from 'node:os';

/** Where the agent is reached, as its card says. */
export interface Addresses {
  /** Of HTTP, without a slash at the end. */
  readonly baseUrl: string;
  /** `host:port` of gRPC, where it is served. */
  readonly grpc: string | undefined;
}

/** An agent that listens on all addresses is reached by its machine's name, as in a compose network. */
export function addressesOf(host: string, httpPort: number, grpcPort: number | undefined): Addresses {
  const name = host === '0.0.0.0' || host === '::' ? hostname() : host;
  const written = name.includes(':') ? `[${name}]` : name;
  return {
    baseUrl: `http://${written}:${httpPort}`,
    grpc: grpcPort === undefined ? undefined : `${written}:${grpcPort}`,
  };
}
