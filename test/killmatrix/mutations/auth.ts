import { client, type Mutation, server } from '../mutation.ts';

const card = 'response/body';
const modern = { versions: ['1.0'] as const };
const wire = { level: 'wire' as const };
const scheme = `${card}/securitySchemes`;

const mutations: readonly Mutation[] = [
  server('AUTH-002', 'a call without credentials is served', (session) => {
    session.set('anonymous', 'response', session.get('get', 'response'));
    session.set('anonymous', 'response/body/id', session.get('anonymous', 'request/body/id'));
    session.set('anonymous', 'params/historyLength', 1);
  }),
  server('AUTH-003', 'a 401 does not say how to authenticate', (session) =>
    session.drop('anonymous', 'response/headers/WWW-Authenticate'),
  ),
  client(
    'AUTH-006',
    'the client forgets its credentials',
    (session) => {
      // To an agent whose card nobody has seen: else it is AUTH-007.
      session.copy('poll', 'known');
      session.set('known', 'to', 'other agent');
      session.copy('anonymous', 'forgotten');
      session.set('forgotten', 'to', 'other agent');
      session.drop('forgotten', 'purpose');
    },
    { level: 'wire' },
  ),
  client('AUTH-007', 'a call lacks the credentials that the card requires', (session) => {
    session.drop('anonymous', 'purpose');
  }),
  client('AUTH-008', 'a message holds a token', (session) =>
    session.set(
      'plain',
      'params/message/parts/0/text',
      'Use Bearer sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c please',
    ),
  ),
  server(
    'AUTH-009',
    'a required scheme is not declared',
    (session) => session.push('card', `${card}/securityRequirements`, { schemes: { other: { list: [] } } }),
    modern,
  ),
  server(
    'AUTH-010',
    'a requirement has the form of 0.3',
    (session) => session.push('card', `${card}/securityRequirements`, { bearer: [] }),
    modern,
  ),
  server(
    'AUTH-011',
    'a scheme has two kinds',
    (session) => session.set('card', `${scheme}/key/mtlsSecurityScheme`, { description: 'A certificate' }),
    modern,
  ),
  server(
    'AUTH-012',
    'a key has no name',
    (session) => session.drop('card', `${scheme}/key/apiKeySecurityScheme/name`),
    modern,
  ),
  server(
    'AUTH-013',
    'an HTTP scheme has no name',
    (session) =>
      session.set('card', `${scheme}/second`, {
        httpAuthSecurityScheme: { description: 'Some other scheme' },
      }),
    modern,
  ),
  server(
    'AUTH-014',
    'an OAuth scheme has no flow',
    (session) => session.set('card', `${scheme}/oauth/oauth2SecurityScheme/flows`, {}),
    modern,
  ),
  server(
    'AUTH-015',
    'OpenID Connect has no URL',
    (session) => session.drop('card', `${scheme}/oidc/openIdConnectSecurityScheme/openIdConnectUrl`),
    modern,
  ),
  server(
    'AUTH-016',
    'the metadata of OAuth is in the clear',
    (session) =>
      session.set(
        'card',
        `${scheme}/oauth/oauth2SecurityScheme/oauth2MetadataUrl`,
        'http://id.example/oauth',
      ),
    modern,
  ),
  server(
    'AUTH-017',
    'a card declares the implicit flow',
    (session) =>
      session.set('card', `${scheme}/oauth/oauth2SecurityScheme/flows`, {
        implicit: { authorizationUrl: 'https://id.example/authorize', scopes: { ask: 'Ask questions' } },
      }),
    modern,
  ),
  server(
    'AUTH-026',
    'a key of 0.x has no place',
    (session) => session.drop('card', `${scheme}/key/in`),
    wire,
  ),
  server(
    'AUTH-027',
    'the schemes of a 0.1 card are a text',
    (session) => session.set('card', `${card}/authentication/schemes`, 'Bearer'),
    wire,
  ),
];

export default mutations;
