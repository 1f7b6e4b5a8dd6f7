import type { AgentCard } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';

/** A call that cannot be made as asked. `name` becomes the error name of a drive result. */
class PeerError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

const spoken = ['JSONRPC', 'HTTP+JSON', 'GRPC'];

/** Fetches the card anew; the SDK's resolver adds the well-known path to `baseUrl`. */
export function fetchCard(baseUrl: string, signal: AbortSignal): Promise<AgentCard> {
  const fetchImpl: typeof fetch = (input, init) => fetch(input, { ...init, signal });
  const resolver = new DefaultAgentCardResolver({ fetchImpl });
  return resolver.resolve(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
}

/** The SDK's client for exactly the wanted binding: it is shown no other, so it cannot fall back. */
export async function connect(baseUrl: string, binding: string, signal: AbortSignal): Promise<Client> {
  if (!spoken.includes(binding.toUpperCase()))
    throw new PeerError('UnsupportedBinding', `this agent's client does not speak ${binding}`);
  const card = await fetchCard(baseUrl, signal);
  const offered = interfacesOf(card);
  const chosen = offered.find(({ transport }) => transport.toUpperCase() === binding.toUpperCase());
  if (!chosen) {
    const names = offered.map(({ transport }) => `${transport} 0.3`).join(', ') || 'nothing in 0.3';
    throw new PeerError('NoMatchingInterface', `${baseUrl} offers no ${binding} 0.3; it offers ${names}`);
  }
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new GrpcTransportFactory()],
    }),
  );
  const { additionalInterfaces: _, ...rest } = card;
  return factory.createFromAgentCard({ ...rest, url: chosen.url, preferredTransport: chosen.transport });
}

/** What the card offers in 0.3. A card of 1.0 has other members, which this SDK does not read. */
export function interfacesOf(
  card: AgentCard,
): readonly { readonly url: string; readonly transport: string }[] {
  const preferred = card.url ? [{ url: card.url, transport: card.preferredTransport ?? 'JSONRPC' }] : [];
  return [...preferred, ...(card.additionalInterfaces ?? [])];
}
