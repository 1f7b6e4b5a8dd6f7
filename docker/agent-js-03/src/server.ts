import type { AgentCard } from '@a2a-js/sdk';
import { type A2ARequestHandler, InMemoryPushNotificationStore, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, UserBuilder as GrpcUserBuilder, grpcService } from '@a2a-js/sdk/server/grpc';
import { logVerbosity, Server, ServerCredentials, setLogVerbosity } from '@grpc/grpc-js';
import express, { type Express } from 'express';
import type { Authentication } from './authentication.ts';
import { extendedCard, paths } from './card.ts';
import { LabExecutor } from './executor.ts';
import { type AgentOptions, UsageError } from './options.ts';
import { LabRequestHandler } from './request-handler.ts';
import type { SignedCard } from './signing.ts';

/** The SDK's handler of the operations, which all bindings share, so that a task is the same in each. */
export function createRequestHandler(
  options: AgentOptions,
  card: AgentCard,
  signed: SignedCard | undefined,
): A2ARequestHandler {
  return new LabRequestHandler(
    signed?.card ?? card,
    new InMemoryTaskStore(),
    new LabExecutor(options.principals),
    undefined,
    new InMemoryPushNotificationStore(),
    undefined,
    options.extendedCard ? async (context) => extendedCard(card, context?.user?.userName ?? '') : undefined,
  );
}

/** The SDK's handlers of HTTP, mounted as the options say. */
export function createApp(
  { bindings }: AgentOptions,
  requestHandler: A2ARequestHandler,
  authentication: Authentication | undefined,
  keys: SignedCard['keys'] | undefined,
): Express {
  const userBuilder: UserBuilder = authentication
    ? (request) => authentication.userOf(request.headers.authorization)
    : UserBuilder.noAuthentication;
  const app = express();
  app.disable('x-powered-by');
  // Express shows stack traces otherwise.
  app.set('env', 'production');
  app.use(paths.card, agentCardHandler({ agentCardProvider: requestHandler }));
  if (keys) app.get(paths.keys, (_, response) => void response.json(keys));
  if (authentication) app.use(authentication.middleware);
  const options = { requestHandler, userBuilder };
  if (bindings.includes('JSONRPC')) app.use(paths.jsonRpc, jsonRpcHandler(options));
  if (bindings.includes('HTTP+JSON')) app.use(paths.rest, restHandler(options));
  return app;
}

/** A gRPC server that listens, and is given its service once the card can name its port. */
export interface GrpcListener {
  readonly port: number;
  readonly serve: (requestHandler: A2ARequestHandler) => void;
}

/** Listens in clear text, as the agent's HTTP does. */
export async function listenGrpc(
  { host, grpcPort }: AgentOptions,
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
  const userBuilder: GrpcUserBuilder = authentication
    ? (call) => authentication.userOf(call.metadata.get('authorization')[0]?.toString())
    : GrpcUserBuilder.noAuthentication;
  return {
    port,
    serve: (requestHandler) => server.addService(A2AService, grpcService({ requestHandler, userBuilder })),
  };
}
