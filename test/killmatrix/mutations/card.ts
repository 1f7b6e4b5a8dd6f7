import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import { type ExampleExchange, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { client, type Mutation, server } from '../mutation.ts';
import type { Session } from '../session.ts';

const card = 'response/body';
const modern = { versions: ['1.0'] as const };
const in03 = { versions: ['0.3'] as const, level: 'wire' as const };
const wire = { level: 'wire' as const };

/** Takes the interfaces of a binding out of the cards that the agent shows. */
function undeclare(session: Session, binding: string, member: string, name: string): void {
  const declared = (entries: Json): Json =>
    Array.isArray(entries) ? entries.filter((each) => isJsonObject(each) && each[name] !== binding) : entries;
  for (const [exchange, place] of [
    ['card', 'response/body'],
    ['extended', 'response/body'],
    ['extended', 'grpc/response'],
  ] as const)
    try {
      const path = `${place}/${member}`;
      session.set(exchange, path, declared(session.get(exchange, path)));
    } catch {
      // Only one of the two places of the extended card is there.
    }
}

const probed = { id: 'task-probed', contextId: 'ctx-probed' };

/** A send over JSON-RPC that the harness makes, and that the agent serves. */
function probeOverRpc(version: '0.3' | '1.0', message: JsonObject, result: JsonObject): ExampleExchange {
  return {
    ...rpc({
      version,
      method: version === '1.0' ? 'SendMessage' : 'message/send',
      params: { message: { ...message, messageId: 'm-probed' } },
      headers: { Authorization: 'Bearer user-1', 'A2A-Version': version },
      purpose: 'probe',
      result,
    }),
    at: '2026-01-01T00:00:25.000Z',
  };
}

const mutations: readonly Mutation[] = [
  server('CARD-001', 'the card is a list', (session) => session.set('card', card, []), wire),
  server(
    'CARD-006',
    'the card is labelled as text',
    (session) => session.set('card', 'response/headers/Content-Type', 'text/plain'),
    wire,
  ),
  server(
    'CARD-005',
    'the card is served in the clear',
    (session) =>
      session.set(
        'card',
        'request/url',
        String(session.get('card', 'request/url')).replace('https:', 'http:'),
      ),
    wire,
  ),
  server(
    'CARD-007',
    'the card has no description',
    (session) => session.drop('card', `${card}/description`),
    modern,
  ),
  server(
    'CARD-008',
    'the card lists no interface',
    (session) => session.set('card', `${card}/supportedInterfaces`, []),
    modern,
  ),
  server(
    'CARD-009',
    'an interface has no version',
    (session) => session.drop('card', `${card}/supportedInterfaces/2/protocolVersion`),
    modern,
  ),
  server('CARD-010', 'an interface is at a relative URL', (session) =>
    session.push('card', `${card}/supportedInterfaces`, {
      url: '/a2a',
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
    }),
  ),
  server('CARD-011', 'the gRPC interface has a URL without a port', (session) =>
    session.push('card', `${card}/supportedInterfaces`, {
      url: 'grpc-of-the-agent',
      protocolBinding: 'GRPC',
      protocolVersion: '1.0',
    }),
  ),
  server(
    'CARD-012',
    'a binding is spelled otherwise',
    (session) =>
      session.push('card', `${card}/supportedInterfaces`, {
        url: 'https://agent.example/other',
        protocolBinding: 'jsonrpc',
        protocolVersion: '1.0',
      }),
    modern,
  ),
  server(
    'CARD-013',
    'an interface has a version with a patch number',
    (session) =>
      session.push('card', `${card}/supportedInterfaces`, {
        url: 'https://agent.example/other',
        protocolBinding: 'JSONRPC',
        protocolVersion: '1.0.1',
      }),
    modern,
  ),
  server('CARD-017', 'a skill has no description', (session) =>
    session.drop('card', `${card}/skills/0/description`),
  ),
  server('CARD-018', 'a skill has no tags', (session) => session.set('card', `${card}/skills/0/tags`, [])),
  server('CARD-019', 'two skills share an id', (session) =>
    session.push('card', `${card}/skills`, session.get('card', `${card}/skills/0`)),
  ),
  server('CARD-020', 'an input mode is no media type', (session) =>
    session.push('card', `${card}/defaultInputModes`, 'plain text'),
  ),
  server('CARD-021', 'the provider has no URL', (session) => session.drop('card', `${card}/provider/url`)),
  server(
    'CARD-022',
    'a capability is a text',
    (session) => session.set('card', `${card}/capabilities/streaming`, 'true'),
    modern,
  ),
  server('CARD-023', 'an extension has no URI', (session) =>
    session.drop('card', `${card}/capabilities/extensions/0/uri`),
  ),
  server('CARD-024', 'the card holds a token', (session) =>
    session.set('card', `${card}/description`, 'Call with Bearer sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c'),
  ),
  server('CARD-027', 'a link is relative', (session) =>
    session.set('card', `${card}/documentationUrl`, '/docs'),
  ),
  server(
    'CARD-030',
    'a 0.3 card has no description',
    (session) => session.drop('card', `${card}/description`),
    in03,
  ),
  server(
    'CARD-031',
    'a 0.3 card names no preferred transport',
    (session) => session.drop('card', `${card}/preferredTransport`),
    {
      ...in03,
      bindings: ['JSONRPC'],
    },
  ),
  server(
    'CARD-033',
    'an additional interface has no transport',
    (session) => session.drop('card', `${card}/additionalInterfaces/2/transport`),
    in03,
  ),
  server(
    'CARD-034',
    'the main URL is not repeated',
    (session) => session.drop('card', `${card}/additionalInterfaces/0`),
    in03,
  ),
  server(
    'CARD-035',
    'one URL has two transports',
    (session) =>
      session.push('card', `${card}/additionalInterfaces`, {
        url: 'https://agent.example/rest',
        transport: 'JSONRPC',
      }),
    in03,
  ),
  server(
    'CARD-036',
    'a transport is spelled otherwise',
    (session) =>
      session.push('card', `${card}/additionalInterfaces`, {
        url: 'https://agent.example/other',
        transport: 'http+json',
      }),
    in03,
  ),
  server(
    'CARD-037',
    'a 0.2 card has no description',
    (session) => session.drop('card', `${card}/description`),
    wire,
  ),
  server('CARD-038', 'a 0.1 card has no version', (session) => session.drop('card', `${card}/version`), wire),
  server(
    'CARD-039',
    'a security scheme has the wrapper of 1.0',
    (session) =>
      session.set('card', `${card}/securitySchemes/bearer`, { httpAuthSecurityScheme: { scheme: 'Bearer' } }),
    wire,
  ),
  server(
    'CARD-025',
    'the authentication of a 0.1 card holds a secret',
    (session) =>
      session.set('card', `${card}/authentication/credentials`, 'sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c'),
    wire,
  ),
  server(
    'CARD-026',
    'a 1.0 card names a URL for older clients that it does not list',
    (session) => {
      session.set('card', `${card}/url`, 'https://agent.example/old');
      session.set('card', `${card}/preferredTransport`, 'JSONRPC');
    },
    { ...modern, ...wire },
  ),
  server(
    'CARD-040',
    'the extended card is declared as in 0.3 only',
    (session) => {
      session.drop('card', `${card}/capabilities/extendedAgentCard`);
      session.set('card', `${card}/supportsAuthenticatedExtendedCard`, true);
      session.without('extended');
    },
    { ...modern, ...wire },
  ),
  client(
    'CARD-041',
    'a client looks for the card below the interface',
    (session) => {
      session.copy('card', 'lost');
      session.set('lost', 'from', 'lost client');
      session.set('lost', 'request/url', 'https://agent.example/a2a/.well-known/agent-card.json');
      session.set('lost', 'response', { status: 404, headers: {}, body_raw: '' });
    },
    wire,
  ),
  server(
    'CARD-002',
    'something else lies at the place of the card',
    (session) => session.set('keptCard', card, { status: 'ok' }),
    {
      ...wire,
      versions: ['1.0'],
    },
  ),
  server(
    'CARD-003',
    'a 0.2 card is not where 0.2 looks for it',
    (session) => {
      session.copy('card', 'movedCard');
      session.set('card', 'response', { status: 404, headers: {}, body_raw: '' });
      session.set('movedCard', 'request/url', 'https://agent.example/.well-known/agent-card.json');
    },
    wire,
  ),
  server(
    'CARD-004',
    'a card lies at the older place alone',
    (session) => {
      session.copy('card', 'movedCard');
      session.set('card', 'response', { status: 404, headers: {}, body_raw: '' });
      session.set('movedCard', 'request/url', 'https://agent.example/.well-known/agent.json');
    },
    { ...wire, also: { 'CARD-002': 'the well-known place' } },
  ),
  server(
    'CARD-014',
    'a declared URL is answered with 404',
    (session) =>
      session.set('get', 'response', {
        status: 404,
        headers: { 'Content-Type': 'application/json' },
        body: { detail: 'Not Found' },
      }),
    {
      ...wire,
      versions: ['1.0'],
      bindings: ['HTTP+JSON', 'JSONRPC'],
    },
  ),
  server(
    'CARD-015',
    'an agent serves what its card does not declare',
    (session) => {
      session.set('get', 'request/url', 'https://agent.example/other');
      session.set('get', 'purpose', 'probe');
    },
    { bindings: ['JSONRPC'] },
  ),
  server(
    'CARD-032',
    'the main URL does not speak the preferred transport',
    (session) =>
      session.set('get', 'response', {
        status: 404,
        headers: { 'Content-Type': 'application/json' },
        body: { detail: 'Not Found' },
      }),
    {
      ...wire,
      bindings: ['JSONRPC'],
    },
  ),
  server(
    'CARD-015',
    'an agent serves a binding that its card does not declare',
    (session) => {
      undeclare(session, 'JSONRPC', 'supportedInterfaces', 'protocolBinding');
      session.insert(
        'get',
        'probed',
        probeOverRpc('1.0', v1.message('hello'), { task: v1.task('COMPLETED', probed) }),
      );
    },
    {
      ...wire,
      versions: ['1.0'],
      bindings: ['HTTP+JSON', 'GRPC'],
    },
  ),
  server(
    'CARD-028',
    'a card changes and keeps its version',
    (session) => {
      session.copy('keptCard', 'otherCard');
      session.set('otherCard', 'at', '2026-01-01T01:30:00.000Z');
      session.set('otherCard', 'request/headers/If-None-Match', '"card-1"');
      session.set('otherCard', 'response/body/description', 'Answers other questions');
      session.set('otherCard', 'response/headers/ETag', '"card-2"');
      session.without('sameCard');
    },
    wire,
  ),
  server(
    'CARD-002',
    'something else lies at the place of the card',
    (session) => {
      session.copy('card', 'oddCard');
      session.set('oddCard', 'to', 'odd agent');
      session.set('oddCard', card, { status: 'ok' });
    },
    {
      ...wire,
      versions: ['0.3'],
    },
  ),
  server(
    'CARD-015',
    'an agent serves a binding that its 0.3 card does not declare',
    (session) => {
      undeclare(session, 'JSONRPC', 'additionalInterfaces', 'transport');
      session.insert(
        'get',
        'probed',
        probeOverRpc('0.3', v03.message('hello'), v03.task('completed', probed)),
      );
    },
    {
      ...wire,
      versions: ['0.3'],
      bindings: ['HTTP+JSON', 'GRPC'],
    },
  ),
  server(
    'CARD-032',
    'the main URL does not speak the preferred transport',
    (session) => session.set('get', 'response', { status: 404, headers: {}, body_raw: '' }),
    { ...wire, bindings: ['HTTP+JSON'] },
  ),
  server(
    'CARD-029',
    'a card does not list a version that is served',
    (session) => {
      session.insert('pollAgain', 'older', {
        from: 'client',
        to: 'agent',
        purpose: 'probe',
        at: '2026-01-01T00:00:39.500Z',
        request: {
          method: 'POST',
          url: 'https://agent.example/a2a',
          headers: { 'Content-Type': 'application/json', Authorization: 'Bearer user-1' },
          body: {
            jsonrpc: '2.0',
            id: 1,
            method: 'message/send',
            params: { message: v03.message('as before') },
          },
        },
        response: {
          status: 200,
          headers: { 'Content-Type': 'application/json' },
          body: {
            jsonrpc: '2.0',
            id: 1,
            result: v03.task('completed', { id: 'task-older', contextId: 'ctx-older' }),
          },
        },
      });
    },
    {
      ...wire,
      versions: ['1.0'],
    },
  ),
];

export default mutations;
