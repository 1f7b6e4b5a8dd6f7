/**
 * What absence means for a member (protobuf field presence; A2A 1.0 section 5.7): `required` and `optional` members
 * stay even where they have their default value, `message` members stay even where they are empty, and `implicit`
 * ones are absent exactly when they have their default value.
 */
export type Presence = 'required' | 'optional' | 'message' | 'implicit';

export interface CardField {
  readonly presence: Presence;
  /** Message type of the value, or of its items; undefined for scalars and free-form objects. */
  readonly type: string | undefined;
  readonly shape: 'one' | 'list' | 'map';
}

/** Type, `[]` or `{}`, and `!` for REQUIRED or `?` for `optional`; `-` is a scalar and `*` a free-form object. */
type Shorthand = Readonly<Record<string, Readonly<Record<string, string>>>>;

const shorthand: Shorthand = {
  AgentCard: {
    name: '-!',
    description: '-!',
    supportedInterfaces: 'AgentInterface[]!',
    provider: 'AgentProvider',
    version: '-!',
    documentationUrl: '-?',
    capabilities: 'AgentCapabilities!',
    securitySchemes: 'SecurityScheme{}',
    securityRequirements: 'SecurityRequirement[]',
    defaultInputModes: '-[]!',
    defaultOutputModes: '-[]!',
    skills: 'AgentSkill[]!',
    iconUrl: '-?',
  },
  AgentInterface: { url: '-!', protocolBinding: '-!', tenant: '-', protocolVersion: '-!' },
  AgentProvider: { url: '-!', organization: '-!' },
  AgentCapabilities: {
    streaming: '-?',
    pushNotifications: '-?',
    extensions: 'AgentExtension[]',
    extendedAgentCard: '-?',
  },
  AgentExtension: { uri: '-', description: '-', required: '-', params: '*' },
  AgentSkill: {
    id: '-!',
    name: '-!',
    description: '-!',
    tags: '-[]!',
    examples: '-[]',
    inputModes: '-[]',
    outputModes: '-[]',
    securityRequirements: 'SecurityRequirement[]',
  },
  SecurityRequirement: { schemes: 'StringList{}' },
  StringList: { list: '-[]' },
  SecurityScheme: {
    apiKeySecurityScheme: 'APIKeySecurityScheme',
    httpAuthSecurityScheme: 'HTTPAuthSecurityScheme',
    oauth2SecurityScheme: 'OAuth2SecurityScheme',
    openIdConnectSecurityScheme: 'OpenIdConnectSecurityScheme',
    mtlsSecurityScheme: 'MutualTlsSecurityScheme',
  },
  APIKeySecurityScheme: { description: '-', location: '-!', name: '-!' },
  HTTPAuthSecurityScheme: { description: '-', scheme: '-!', bearerFormat: '-' },
  OAuth2SecurityScheme: { description: '-', flows: 'OAuthFlows!', oauth2MetadataUrl: '-' },
  OpenIdConnectSecurityScheme: { description: '-', openIdConnectUrl: '-!' },
  MutualTlsSecurityScheme: { description: '-' },
  OAuthFlows: {
    authorizationCode: 'AuthorizationCodeOAuthFlow',
    clientCredentials: 'ClientCredentialsOAuthFlow',
    implicit: 'OlderOAuthFlow',
    password: 'OlderOAuthFlow',
    deviceCode: 'DeviceCodeOAuthFlow',
  },
  AuthorizationCodeOAuthFlow: {
    ...{ authorizationUrl: '-!', tokenUrl: '-!', refreshUrl: '-', scopes: '-{}!', pkceRequired: '-' },
  },
  ClientCredentialsOAuthFlow: { tokenUrl: '-!', refreshUrl: '-', scopes: '-{}!' },
  DeviceCodeOAuthFlow: {
    ...{ deviceAuthorizationUrl: '-!', tokenUrl: '-!', refreshUrl: '-', scopes: '-{}!' },
  },
  // The members of the implicit and the password flow, which are deprecated and have no REQUIRED members.
  OlderOAuthFlow: { authorizationUrl: '-', tokenUrl: '-', refreshUrl: '-', scopes: '-{}' },
};

function fieldOf(text: string): CardField {
  const type = /^\w+/.exec(text)?.[0];
  const shape = text.includes('[]') ? 'list' : text.includes('{}') ? 'map' : 'one';
  const bare = shape === 'one' && (type !== undefined || text.startsWith('*')) ? 'message' : 'implicit';
  return { type, shape, presence: text.endsWith('!') ? 'required' : text.endsWith('?') ? 'optional' : bare };
}

/** The message types of a 1.0 card without its signatures (specification/a2a.proto), by name. */
export const cardTypes: ReadonlyMap<string, ReadonlyMap<string, CardField>> = new Map(
  Object.entries(shorthand).map(([type, fields]) => [
    type,
    new Map(Object.entries(fields).map(([name, text]) => [name, fieldOf(text)])),
  ]),
);
