import type { AgentCard, AgentInterface } from '@a2a-js/sdk';
import { instructionMediaType } from '../itk/find.ts';
import type { AgentOptions } from '../options.ts';

const description = 'A lab agent: it does what the message tells it to, as docs/lab-agents.md says.';
const version = '0.1.0';
const mediaTypes = ['text/plain', 'application/json'];
/** Instructions of the interop kit come as a file. */
const inputTypes = [...mediaTypes, instructionMediaType];
const skill = {
  id: 'lab',
  name: 'Lab',
  description: 'Plays a behaviour that the start of the text selects, or makes one call as a client.',
  tags: ['lab', 'interop'],
  examples: ['plugfest-echo hello'],
};

export const paths = { jsonRpc: '/jsonrpc', rest: '/rest', card: '/.well-known/agent-card.json' } as const;

/** The card in the SDK's own terms, with one interface per binding and version. */
export function agentCard(options: AgentOptions, baseUrl: string): AgentCard {
  return {
    name: options.name,
    description,
    version,
    supportedInterfaces: interfaces(options, baseUrl),
    provider: undefined,
    capabilities: { streaming: true, pushNotifications: true, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: inputTypes,
    defaultOutputModes: mediaTypes,
    skills: [{ ...skill, inputModes: inputTypes, outputModes: mediaTypes, securityRequirements: [] }],
    signatures: [],
  };
}

/**
 * The card of an agent that knows 0.3 only. The SDK makes 0.3 cards too, but only beside 1.0 members and with a
 * `protocolVersion` of "0.3", which a client of that time has never seen.
 */
export function legacyCard(options: AgentOptions, baseUrl: string): Record<string, unknown> {
  return {
    name: options.name,
    description,
    version,
    protocolVersion: '0.3.0',
    url: baseUrl + paths.jsonRpc,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: inputTypes,
    defaultOutputModes: mediaTypes,
    skills: [skill],
  };
}

function interfaces({ protocol, bindings }: AgentOptions, baseUrl: string): AgentInterface[] {
  const jsonRpc = { url: baseUrl + paths.jsonRpc, protocolBinding: 'JSONRPC', tenant: '' };
  const rest = { url: baseUrl + paths.rest, protocolBinding: 'HTTP+JSON', tenant: '' };
  const current = bindings.map((binding) => (binding === 'JSONRPC' ? jsonRpc : rest));
  return [
    ...(protocol === '0.3' ? [] : current.map((offer) => ({ ...offer, protocolVersion: '1.0' }))),
    ...(protocol === '1.0' ? [] : [{ ...jsonRpc, protocolVersion: '0.3' }]),
  ];
}
