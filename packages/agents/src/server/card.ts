import type { AgentCard, AgentInterface } from '@a2a-js/sdk';
import { instructionMediaType } from '../itk/find.ts';
import type { AgentOptions, Binding } from '../options.ts';
import type { Addresses } from './address.ts';

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
const bearer = { description: 'A token of a principal that the agent was started with.', scheme: 'bearer' };

export const paths = {
  jsonRpc: '/jsonrpc',
  rest: '/rest',
  card: '/.well-known/agent-card.json',
  keys: '/.well-known/jwks.json',
} as const;

/** The card in the SDK's own terms, with one interface per binding and version. */
export function agentCard(options: AgentOptions, addresses: Addresses): AgentCard {
  return {
    name: options.name,
    description,
    version,
    supportedInterfaces: interfaces(options, addresses),
    provider: undefined,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extensions: extensionsOf(options).map((extension) => ({ ...extension, params: undefined })),
      extendedAgentCard: options.extendedCard,
    },
    securitySchemes: options.auth
      ? { bearer: { scheme: { $case: 'httpAuthSecurityScheme', value: { ...bearer, bearerFormat: '' } } } }
      : {},
    securityRequirements: options.auth ? [{ schemes: { bearer: { list: [] } } }] : [],
    defaultInputModes: inputTypes,
    defaultOutputModes: mediaTypes,
    skills: [{ ...skill, inputModes: inputTypes, outputModes: mediaTypes, securityRequirements: [] }],
    signatures: [],
  };
}

/** What only a caller who is known gets to see. */
export function extendedCard(card: AgentCard, principal: string): AgentCard {
  const [lab] = card.skills;
  if (!lab) throw new Error('the card has no skill');
  const extended = { ...lab, id: 'lab-extended', name: 'Lab, extended', description: `For ${principal}.` };
  return { ...card, skills: [lab, extended] };
}

/**
 * The card of an agent that knows 0.3 only. The SDK makes 0.3 cards too, but only beside 1.0 members and with a
 * `protocolVersion` of "0.3", which a client of that time has never seen.
 */
export function legacyCard(options: AgentOptions, addresses: Addresses): Record<string, unknown> {
  const interfaces = options.bindings.map((binding) => ({
    url: urlOf(binding, addresses),
    transport: binding,
  }));
  return {
    name: options.name,
    description,
    version,
    protocolVersion: '0.3.0',
    url: interfaces[0]?.url,
    preferredTransport: interfaces[0]?.transport,
    // The main interface is to be among them (A2A 0.3 section 5.6.2).
    additionalInterfaces: interfaces,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      ...(extensionsOf(options).length === 0 ? {} : { extensions: extensionsOf(options) }),
    },
    ...(options.auth && {
      securitySchemes: { bearer: { type: 'http', ...bearer } },
      security: [{ bearer: [] }],
    }),
    ...(options.extendedCard && { supportsAuthenticatedExtendedCard: true }),
    defaultInputModes: inputTypes,
    defaultOutputModes: mediaTypes,
    skills: [skill],
  };
}

function extensionsOf({ requireExtension, offerExtension }: AgentOptions) {
  return [
    ...(requireExtension === undefined
      ? []
      : [
          {
            uri: requireExtension,
            description: 'Every message has to ask for it. It changes nothing.',
            required: true,
          },
        ]),
    ...(offerExtension === undefined
      ? []
      : [
          {
            uri: offerExtension,
            description: 'A message may ask for it. It changes nothing.',
            required: false,
          },
        ]),
  ];
}

function interfaces({ protocol, bindings }: AgentOptions, addresses: Addresses): AgentInterface[] {
  const versions = protocol === 'both' ? ['1.0', '0.3'] : [protocol];
  return versions.flatMap((protocolVersion) =>
    bindings.map((protocolBinding) => ({
      url: urlOf(protocolBinding, addresses),
      protocolBinding,
      protocolVersion,
      tenant: '',
    })),
  );
}

function urlOf(binding: Binding, { baseUrl, grpc }: Addresses): string {
  if (binding === 'JSONRPC') return baseUrl + paths.jsonRpc;
  if (binding === 'HTTP+JSON') return baseUrl + paths.rest;
  if (grpc === undefined) throw new Error('gRPC is offered without an address');
  return grpc;
}
