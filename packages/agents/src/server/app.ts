import { legacyRestRouter } from '@a2a-js/sdk/compat/v0_3/server/express';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express, { type Express, type RequestHandler } from 'express';
import type { Fault } from '../fault.ts';
import type { AgentOptions } from '../options.ts';
import type { Addresses } from './address.ts';
import type { Authentication } from './authentication.ts';
import { agentCard, legacyCard, paths } from './card.ts';
import type { LabRequestHandler } from './request-handler.ts';
import { type CardSigner, cardSigner } from './signing.ts';

export interface AppParts {
  readonly options: AgentOptions;
  readonly requestHandler: LabRequestHandler;
  readonly authentication: Authentication | undefined;
  readonly fault: Fault | undefined;
  readonly addresses: Addresses;
}

/** The SDK's handlers of HTTP, mounted as the options say. */
export function createApp({ options, requestHandler, authentication, fault, addresses }: AppParts): Express {
  const legacyCompat = { enabled: options.protocol !== '1.0' };
  const userBuilder: UserBuilder = authentication
    ? (request) => authentication.userOf(request.headers.authorization)
    : UserBuilder.noAuthentication;
  const app = express();
  app.disable('x-powered-by');
  // Express shows stack traces otherwise.
  app.set('env', 'production');
  fault?.apply(app);
  const signer = options.signCard ? cardSigner(addresses.baseUrl + paths.keys) : undefined;
  app.use(paths.card, cardHandler(options, addresses, signer));
  if (signer) app.get(paths.keys, (_request, response) => void response.json(signer.keys));
  if (authentication) app.use(authentication.middleware);
  if (options.bindings.includes('JSONRPC')) {
    app.use(paths.jsonRpc, jsonRpcHandler({ requestHandler, userBuilder, legacyCompat }));
  }
  if (options.bindings.includes('HTTP+JSON')) {
    // An agent of 0.3 has none of the paths of 1.0, on which the SDK would take calls of 0.3 too.
    const rest =
      options.protocol === '0.3'
        ? legacyRestRouter({ requestHandler, userBuilder })
        : restHandler({ requestHandler, userBuilder, legacyCompat });
    app.use(paths.rest, rest);
  }
  return app;
}

function cardHandler(options: AgentOptions, addresses: Addresses, signer?: CardSigner): RequestHandler {
  if (options.protocol === '0.3') {
    const card = legacyCard(options, addresses);
    return (_request, response) => {
      response.json(card);
    };
  }
  const card = signer?.sign(agentCard(options, addresses)) ?? Promise.resolve(agentCard(options, addresses));
  return agentCardHandler({
    agentCardProvider: () => card,
    legacyCompat: { enabled: options.protocol === 'both' },
  });
}
