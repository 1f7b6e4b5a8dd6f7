import type { AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, UserBuilder as GrpcUserBuilder, grpcService } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import express, { type Express } from 'express';
import { TravelExecutor } from './executor.ts';
import { type Binding, type Options, UsageError } from './options.ts';
import { roles } from './role.ts';

export const cardPath = '/.well-known/agent-card.json';
const paths = { JSONRPC: '/jsonrpc', 'HTTP+JSON': '/rest' } as const;
const mediaTypes = ['application/json', 'text/plain'];

export interface Address {
  readonly base: string;
  /** `host:port`. */
  readonly grpc: string | undefined;
}

export function cardOf(options: Options, address: Address): AgentCard {
  const { example, tags, ...skill } = roles[options.role].skill;
  const url = (binding: Binding) =>
    binding === 'GRPC' ? (address.grpc ?? '') : address.base + paths[binding];
  return {
    name: options.name,
    description: `${skill.description} Prices and rules are made up.`,
    version: '0.1.0',
    supportedInterfaces: options.bindings.map((protocolBinding) => ({
      ...{ url: url(protocolBinding), protocolBinding, protocolVersion: '1.0', tenant: '' },
    })),
    provider: undefined,
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: mediaTypes,
    defaultOutputModes: mediaTypes,
    skills: [
      {
        ...skill,
        ...{ tags: [...tags], examples: [example], inputModes: mediaTypes, outputModes: mediaTypes },
        securityRequirements: [],
      },
    ],
    signatures: [],
  };
}

export function requestHandlerOf(options: Options, card: AgentCard): DefaultRequestHandler {
  return new DefaultRequestHandler(card, new InMemoryTaskStore(), new TravelExecutor(roles[options.role]));
}

/** The SDK's handlers over HTTP. */
export function appOf(options: Options, card: AgentCard, requestHandler: DefaultRequestHandler): Express {
  const app = express();
  app.disable('x-powered-by');
  // Express shows stack traces otherwise.
  app.set('env', 'production');
  app.use(cardPath, agentCardHandler({ agentCardProvider: async () => card }));
  const userBuilder = UserBuilder.noAuthentication;
  if (options.bindings.includes('JSONRPC'))
    app.use(paths.JSONRPC, jsonRpcHandler({ requestHandler, userBuilder }));
  if (options.bindings.includes('HTTP+JSON'))
    app.use(paths['HTTP+JSON'], restHandler({ requestHandler, userBuilder }));
  return app;
}

export interface GrpcListener {
  readonly port: number;
  readonly serve: (requestHandler: DefaultRequestHandler) => void;
}

/** Listens in clear text; serves once the card, which names the port, is made. */
export async function listenGrpc({ host, grpcPort }: Options): Promise<GrpcListener> {
  const server = new Server();
  const address = `${host.includes(':') ? `[${host}]` : host}:${grpcPort}`;
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(new UsageError(`cannot listen for gRPC: ${error.message}`)) : resolve(bound),
    );
  });
  return {
    port,
    serve: (requestHandler) => {
      const userBuilder = GrpcUserBuilder.noAuthentication;
      server.addService(A2AService, grpcService({ requestHandler, userBuilder }));
    },
  };
}
