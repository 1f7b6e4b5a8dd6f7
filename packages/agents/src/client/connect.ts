import type { AgentCard, AgentInterface } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { parseLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client';

/** A call that cannot be made as asked. `name` becomes the error name of a drive result. */
class ConnectError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export interface Wanted {
  readonly binding: string;
  /** Without it: 1.0 if the card has it for that binding, else 0.3. */
  readonly version?: '1.0' | '0.3';
}

const legacyCompat = { enabled: true };
const spoken = ['JSONRPC', 'HTTP+JSON', 'GRPC'];

/** Fetches the card anew; the SDK's resolver adds the well-known path to `baseUrl`. */
export function fetchCard(baseUrl: string, signal: AbortSignal): Promise<AgentCard> {
  const fetchImpl: typeof fetch = (input, init) => fetch(input, { ...init, signal });
  const resolver = new DefaultAgentCardResolver({ legacyCompat, fetchImpl });
  return resolver.resolve(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
}

/** The SDK's client for exactly the wanted interface: it is shown no other, so it cannot fall back. */
export async function connect(baseUrl: string, wanted: Wanted, signal: AbortSignal): Promise<Client> {
  const card = await fetchCard(baseUrl, signal);
  const chosen = pick(card, wanted);
  if (!chosen) {
    const label = `${wanted.binding} ${wanted.version ?? '1.0 or 0.3'}`;
    throw new ConnectError('NoMatchingInterface', `${baseUrl} offers no ${label}; it offers ${offers(card)}`);
  }
  if (!spoken.includes(chosen.protocolBinding.toUpperCase())) {
    throw new ConnectError(
      'UnsupportedBinding',
      `this agent's client does not speak ${chosen.protocolBinding}`,
    );
  }
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [
        new JsonRpcTransportFactory({ legacyCompat }),
        new RestTransportFactory({ legacyCompat }),
        new GrpcTransportFactory({ legacyCompat }),
      ],
      cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
    }),
  );
  return factory.createFromAgentCard({ ...card, supportedInterfaces: [chosen] });
}

function pick(card: AgentCard, { binding, version }: Wanted): AgentInterface | undefined {
  const offered = (card.supportedInterfaces ?? []).filter((offer) => sameBinding(offer, binding));
  for (const candidate of version ? [version] : (['1.0', '0.3'] as const)) {
    const match = offered.find((offer) => majorMinor(offer.protocolVersion) === candidate);
    const found = match ?? (candidate === '0.3' ? legacyMember(card, binding) : undefined);
    if (found) return found;
  }
  return undefined;
}

/** A card of both forms: its 0.3 endpoint may be named only in the 0.3 members, which the SDK then ignores. */
function legacyMember(card: AgentCard, binding: string): AgentInterface | undefined {
  if (!('url' in card)) return undefined;
  const { supportedInterfaces, ...legacy } = card;
  const parsed = parseLegacyAgentCard({ additionalInterfaces: [], ...legacy, protocolVersion: '0.3.0' });
  return parsed.supportedInterfaces.find((offer) => sameBinding(offer, binding));
}

function sameBinding(offer: AgentInterface, binding: string): boolean {
  return offer.protocolBinding?.toUpperCase() === binding.toUpperCase();
}

function majorMinor(version: string | undefined): string {
  return (version || '0.3').split('.').slice(0, 2).join('.');
}

function offers(card: AgentCard): string {
  const names = (card.supportedInterfaces ?? []).map(
    (offer) => `${offer.protocolBinding} ${offer.protocolVersion}`,
  );
  return names.length > 0 ? names.join(', ') : 'nothing';
}
