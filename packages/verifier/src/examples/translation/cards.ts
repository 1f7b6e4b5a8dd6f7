import {
  type Binding,
  isJsonObject,
  type Json,
  type JsonObject,
  type ProtocolVersion,
} from '@plugfest/model';
import {
  anything,
  type Codec,
  flag,
  list,
  map,
  object,
  objectOf,
  present,
  struct,
  text,
  textOf,
  untranslatable,
} from './codec.ts';
import { endpoints } from './dialect.ts';

const flows: Codec = {
  to: (value) => ('deviceCode' in objectOf(value) ? untranslatable('0.3 has no device code flow') : value),
  from: (value) => objectOf(value),
};

/** Security schemes: 1.0 wraps them by kind, 0.2 and 0.3 are OpenAPI's, told apart by `type` (0.3 section 5.5.3). */
const schemeKinds: readonly (readonly [string, string, Codec])[] = [
  ['apiKeySecurityScheme', 'apiKey', object({ description: text, location: ['in', text], name: text })],
  ['httpAuthSecurityScheme', 'http', object({ description: text, scheme: text, bearerFormat: text })],
  ['oauth2SecurityScheme', 'oauth2', object({ description: text, flows, oauth2MetadataUrl: text })],
  ['openIdConnectSecurityScheme', 'openIdConnect', object({ description: text, openIdConnectUrl: text })],
  ['mtlsSecurityScheme', 'mutualTLS', object({ description: text })],
];
const scheme: Codec = {
  to(value) {
    const [entry, another] = Object.entries(objectOf(value));
    const kind = schemeKinds.find(([wrapper]) => wrapper === entry?.[0]);
    if (entry === undefined || another !== undefined || kind === undefined)
      return untranslatable('not one scheme');
    return { type: kind[1], ...objectOf(kind[2].to(entry[1])) };
  },
  from(value) {
    const { type, ...members } = objectOf(value);
    const kind = schemeKinds.find(([, name]) => name === type) ?? untranslatable('no such scheme');
    return { [kind[0]]: kind[2].from(members) };
  },
};
const requirement: Codec = {
  to(value) {
    const { schemes, ...others } = objectOf(value);
    if (Object.keys(others).length > 0) return untranslatable('not only schemes');
    const scopes = (entry: Json): Json => objectOf(entry).list ?? [];
    return Object.fromEntries(
      Object.entries(objectOf(schemes)).map(([name, entry]) => [name, scopes(entry)]),
    );
  },
  from: (value) => ({
    schemes: Object.fromEntries(
      Object.entries(objectOf(value)).map(([name, scopes]) => [name, { list: list(text).from(scopes) }]),
    ),
  }),
};

const skill = object({
  id: text,
  name: text,
  description: text,
  tags: list(text),
  examples: list(text),
  inputModes: list(text),
  outputModes: list(text),
  securityRequirements: ['security', list(requirement)],
});
const shared = {
  name: text,
  description: text,
  provider: object({ url: text, organization: text }),
  version: text,
  documentationUrl: text,
  defaultInputModes: list(text),
  defaultOutputModes: list(text),
  iconUrl: text,
} as const;
const legacyMembers = object({
  ...shared,
  capabilities: object({
    streaming: flag,
    pushNotifications: flag,
    extensions: list(object({ uri: text, description: text, required: flag, params: struct })),
  }),
  securitySchemes: map(scheme),
  // Before 1.0 no canonical form was said, so that a signature has a shape only (0.3 section 5.5.6).
  signatures: anything,
  securityRequirements: ['security', list(requirement)],
  skills: list(skill),
});

interface Interface {
  readonly url: string;
  readonly binding: string;
}

function interfacesOf(card: JsonObject): readonly Interface[] {
  const { supportedInterfaces: entries } = card;
  if (!Array.isArray(entries)) return untranslatable('no interfaces');
  return entries.map((entry: Json): Interface => {
    const { url, protocolBinding, protocolVersion, ...others } = objectOf(entry);
    if (protocolVersion !== '1.0' || Object.keys(others).length > 0)
      return untranslatable('an interface that only 1.0 has');
    return { url: textOf(url), binding: textOf(protocolBinding) };
  });
}

/** `protocolVersion` of the cards; 0.1 had none. */
export const cardVersions = { '0.2': '0.2.6', '0.3': '0.3.0' } as const;

/** A 1.0 card for an older version. Where 0.1 has only one URL, that of its JSON-RPC interface is it. */
export function legacyCard(card: JsonObject, version: Exclude<ProtocolVersion, '1.0'>): JsonObject {
  const { supportedInterfaces: _entries, capabilities, ...others } = card;
  const interfaces = interfacesOf(card);
  const { extendedAgentCard, ...abilities } = objectOf(capabilities);
  if (version !== '0.3' && card.signatures !== undefined) return untranslatable('cards were not signed yet');
  const [first] = interfaces;
  if (first === undefined) return untranslatable('no interface');
  if (version === '0.1')
    return oldestCard({ ...others, capabilities: abilities }, interfaces, extendedAgentCard);
  return {
    protocolVersion: cardVersions[version],
    ...objectOf(legacyMembers.to({ ...others, capabilities: abilities })),
    url: first.url,
    preferredTransport: first.binding,
    additionalInterfaces: interfaces.map(({ url, binding }) => ({ url, transport: binding })),
    ...present({ supportsAuthenticatedExtendedCard: extendedAgentCard }),
  };
}

function oldestCard(
  card: JsonObject,
  interfaces: readonly Interface[],
  extended: Json | undefined,
): JsonObject {
  const rpc =
    interfaces.find(({ binding }) => binding === 'JSONRPC') ?? untranslatable('0.1 has JSON-RPC only');
  const { securitySchemes, securityRequirements, iconUrl, capabilities, skills, ...members } = card;
  const { extensions, ...abilities } = objectOf(capabilities);
  if (
    [securitySchemes, securityRequirements, iconUrl, extensions, extended].some((each) => each !== undefined)
  )
    return untranslatable('a card of more than 0.1 has');
  if (!Array.isArray(skills)) return untranslatable('no skills');
  return {
    ...members,
    url: rpc.url,
    // 0.1 names HTTP schemes; it is also what shows the version of the card.
    authentication: { schemes: ['Bearer'] },
    capabilities: abilities,
    skills: skills.map((each: Json) => {
      const { securityRequirements: own, ...kept } = objectOf(each);
      return own === undefined ? kept : untranslatable('a skill of more than 0.1 has');
    }),
  };
}

/** A 0.3 card, as examples have it, in 1.0; undefined members of 1.0 cannot come of it. */
export function modernCard(card: JsonObject): JsonObject {
  const {
    protocolVersion,
    url,
    preferredTransport,
    additionalInterfaces,
    supportsAuthenticatedExtendedCard: extendedAgentCard,
    ...others
  } = card;
  if (protocolVersion !== cardVersions['0.3']) return untranslatable('another version');
  if (!Array.isArray(additionalInterfaces)) return untranslatable('no list of interfaces');
  const supportedInterfaces = additionalInterfaces.map((entry: Json) => {
    const { url: at, transport } = objectOf(entry);
    return { url: textOf(at), protocolBinding: textOf(transport), protocolVersion: '1.0' };
  });
  const [first] = supportedInterfaces;
  if (first?.url !== url || first?.protocolBinding !== preferredTransport)
    return untranslatable('an order that 1.0 cannot say');
  const { capabilities, ...members } = objectOf(legacyMembers.from(others));
  return {
    ...members,
    supportedInterfaces,
    capabilities: { ...objectOf(capabilities), ...present({ extendedAgentCard }) },
  };
}

/** The extended card of 0.3 as its proto prints it: schemes and requirements are wrapped as in 1.0. */
export function transcodedCard(card: JsonObject): JsonObject {
  const { securitySchemes, securityRequirements, iconUrl, signatures, skills, ...others } = card;
  if (iconUrl !== undefined || signatures !== undefined)
    return untranslatable('a card of more than the proto has');
  if (!Array.isArray(skills)) return untranslatable('no skills');
  const renamed = (each: Json): Json => {
    const { securityRequirements: own, ...kept } = objectOf(each);
    return { ...kept, ...present({ security: own }) };
  };
  return {
    ...legacyCard({ ...others, skills: [] }, '0.3'),
    skills: skills.map(renamed),
    ...present({ securitySchemes, security: securityRequirements }),
  };
}

/**
 * The same card where the conversation moves from one binding to another: the two change places, so that the order of
 * preference says the same as before.
 */
export function movedCard(card: JsonObject, from: Binding, to: Binding): JsonObject {
  const { supportedInterfaces: entries } = card;
  if (from === to || !Array.isArray(entries)) return card;
  const moved = (entry: Json): Json => {
    if (!isJsonObject(entry)) return entry;
    const { protocolBinding: binding, url } = entry;
    const other = binding === from ? to : binding === to ? from : undefined;
    if (other === undefined || (binding !== from && binding !== to)) return entry;
    if (url === endpoints[binding]) return { ...entry, url: endpoints[other], protocolBinding: other };
    if (binding === 'GRPC' || other === 'GRPC') return untranslatable('a URL that gRPC cannot have');
    return { ...entry, protocolBinding: other };
  };
  return { ...card, supportedInterfaces: entries.map(moved) };
}
