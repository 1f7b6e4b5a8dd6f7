import { createLegacyAwarePushNotificationSender } from '@a2a-js/sdk/compat/v0_3/server';
import { InMemoryPushNotificationStore, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express, { type Express, type RequestHandler } from 'express';
import type { BehaviourTable } from '../behaviours/table.ts';
import type { Fault } from '../fault.ts';
import type { AgentOptions } from '../options.ts';
import { agentCard, legacyCard, paths } from './card.ts';
import { LabExecutor } from './executor.ts';
import { LabRequestHandler } from './request-handler.ts';

export interface AppParts {
  readonly options: AgentOptions;
  readonly behaviours: BehaviourTable;
  readonly fault: Fault | undefined;
  /** The base URL to put in the card, given the Host header of whoever reads it. */
  readonly baseUrl: (host: string | undefined) => string;
}

/** The SDK's handlers, mounted as the options say. */
export function createApp({ options, behaviours, fault, baseUrl }: AppParts): Express {
  const legacyCompat = { enabled: options.protocol !== '1.0' };
  const executor = new LabExecutor(behaviours);
  const pushStore = new InMemoryPushNotificationStore();
  const requestHandler = new LabRequestHandler(
    agentCard(options, baseUrl(undefined)),
    new InMemoryTaskStore(),
    executor,
    undefined,
    pushStore,
    createLegacyAwarePushNotificationSender(pushStore),
  );
  requestHandler.isRunning = (taskId) => executor.isRunning(taskId);

  const app = express();
  app.disable('x-powered-by');
  fault?.apply(app);
  app.use(paths.card, cardHandler(options, baseUrl));
  const handlerOptions = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  const serves10 = options.protocol !== '0.3';
  if (legacyCompat.enabled || options.bindings.includes('JSONRPC')) {
    app.use(paths.jsonRpc, jsonRpcHandler({ ...handlerOptions, legacyCompat }));
  }
  if (serves10 && options.bindings.includes('HTTP+JSON')) app.use(paths.rest, restHandler(handlerOptions));
  return app;
}

function cardHandler(options: AgentOptions, baseUrl: AppParts['baseUrl']): RequestHandler {
  if (options.protocol === '0.3') {
    return (request, response) => {
      response.json(legacyCard(options, baseUrl(request.headers.host)));
    };
  }
  return (request, response, next) => {
    const handle = agentCardHandler({
      agentCardProvider: async () => agentCard(options, baseUrl(request.headers.host)),
      legacyCompat: { enabled: options.protocol === 'both' },
    });
    handle(request, response, next);
  };
}
