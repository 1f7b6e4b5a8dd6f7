import type { AgentCard } from '@a2a-js/sdk';
import type { Addresses } from './address.ts';
import { instructionMediaType } from './find-instruction.ts';
import type { AgentOptions, Binding } from './options.ts';

const mediaTypes = ['text/plain', 'application/json'];
const bearer = { description: 'A token of a principal that the agent was started with.', scheme: 'bearer' };

export const paths = {
  jsonRpc: '/jsonrpc',
  rest: '/rest',
  card: '/.well-known/agent-card.json',
  keys: '/.well-known/jwks.json',
} as const;

/** A card of 0.3: the first binding is the preferred one. */
export function agentCard(options: AgentOptions, addresses: Addresses): AgentCard {
  const interfaces = options.bindings.map((binding) => ({
    url: urlOf(binding, addresses),
    transport: binding,
  }));
  const [preferred] = interfaces;
  if (!preferred) throw new Error('the agent offers no binding');
  return {
    name: options.name,
    description: 'A lab agent: it does what the message tells it to, as docs/lab-agents.md says.',
    version: '0.1.0',
    protocolVersion: '0.3.0',
    url: preferred.url,
    preferredTransport: preferred.transport,
    // The main interface is to be among them (A2A 0.3 section 5.6.2).
    additionalInterfaces: interfaces,
    capabilities: { streaming: true, pushNotifications: true },
    ...(options.auth && {
      securitySchemes: { bearer: { type: 'http' as const, ...bearer } },
      security: [{ bearer: [] }],
    }),
    ...(options.extendedCard && { supportsAuthenticatedExtendedCard: true }),
    // Instructions of the interop kit come as a file.
    defaultInputModes: [...mediaTypes, instructionMediaType],
    defaultOutputModes: mediaTypes,
    skills: [
      {
        id: 'lab',
        name: 'Lab',
        description: 'Plays a behaviour that the start of the text selects, or makes one call as a client.',
        tags: ['lab', 'interop'],
        examples: ['plugfest-echo hello'],
      },
    ],
  };
}

/** What only a caller who is known gets to see. */
export function extendedCard(card: AgentCard, principal: string): AgentCard {
  const [lab] = card.skills;
  if (!lab) throw new Error('the card has no skill');
  const extended = { ...lab, id: 'lab-extended', name: 'Lab, extended', description: `For ${principal}.` };
  return { ...card, skills: [lab, extended] };
}

function urlOf(binding: Binding, { baseUrl, grpc }: Addresses): string {
  if (binding === 'JSONRPC') return baseUrl + paths.jsonRpc;
  if (binding === 'HTTP+JSON') return baseUrl + paths.rest;
  if (grpc === undefined) throw new Error('gRPC is offered without an address');
  return grpc;
}
