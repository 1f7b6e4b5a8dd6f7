import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { A2AService, grpcService, UserBuilder } from '@a2a-js/sdk/server/grpc';
import { logVerbosity, Server, ServerCredentials, setLogVerbosity } from '@grpc/grpc-js';
import { type AgentOptions, UsageError } from '../options.ts';
import type { Authentication } from './authentication.ts';

/** A gRPC server that listens, and is given its services once the card can name its port. */
export interface GrpcListener {
  readonly port: number;
  readonly serve: (requestHandler: A2ARequestHandler) => void;
}

/** Listens in clear text, as the agent's HTTP does. Until `serve`, calls are answered UNIMPLEMENTED. */
export async function listenGrpc(
  { host, grpcPort, protocol }: AgentOptions,
  authentication: Authentication | undefined,
): Promise<GrpcListener> {
  const server = new Server(authentication ? { interceptors: [authentication.interceptor] } : {});
  const address = `${host.includes(':') ? `[${host}]` : host}:${grpcPort}`;
  // The library logs what it reports as well, and a bad flag is to be told in one line.
  setLogVerbosity(logVerbosity.NONE);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(new UsageError(`cannot listen for gRPC: ${error.message}`)) : resolve(bound),
    );
  });
  setLogVerbosity(logVerbosity.ERROR);
  const userBuilder: UserBuilder = authentication
    ? (call) => authentication.userOf(call.metadata.get('authorization')[0]?.toString())
    : UserBuilder.noAuthentication;
  return {
    port,
    serve(requestHandler) {
      const options = { requestHandler, userBuilder };
      // The two versions are services of different names, so both fit on one port.
      if (protocol !== '0.3') server.addService(A2AService, grpcService(options));
      if (protocol !== '1.0') server.addService(LegacyA2AService, legacyGrpcService(options));
    },
  };
}
