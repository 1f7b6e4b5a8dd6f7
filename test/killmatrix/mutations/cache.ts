import { client, type Mutation, server } from '../mutation.ts';

const wire = { level: 'wire' as const };

const mutations: readonly Mutation[] = [
  server(
    'CACHE-001',
    'the card has no Cache-Control',
    (session) => session.drop('card', 'response/headers/Cache-Control'),
    wire,
  ),
  server(
    'CACHE-002',
    'the card has no ETag',
    (session) => session.drop('card', 'response/headers/ETag'),
    wire,
  ),
  server(
    'CACHE-004',
    'another card has the same ETag',
    (session) => {
      session.copy('keptCard', 'otherCard');
      session.set('otherCard', 'at', '2026-01-01T01:30:00.000Z');
      session.set('otherCard', 'request/headers/If-None-Match', '"card-1"');
      session.set('otherCard', 'response/body/description', 'Answers other questions');
      session.set('otherCard', 'response/body/version', '2.0.0');
      session.without('sameCard');
    },
    wire,
  ),
  server(
    'CACHE-005',
    'a client that names the ETag gets the card again',
    (session) => {
      session.set('sameCard', 'response', session.get('keptCard', 'response'));
    },
    wire,
  ),
  client(
    'CACHE-006',
    'a fresh card is fetched again',
    (session) => {
      session.set('sameCard', 'at', '2026-01-01T00:10:00.000Z');
      session.drop('sameCard', 'request/headers/If-None-Match');
      session.set('sameCard', 'response', session.get('keptCard', 'response'));
    },
    wire,
  ),
  client(
    'CACHE-007',
    'a card that has expired is loaded again',
    (session) => {
      session.drop('sameCard', 'request/headers/If-None-Match');
      session.set('sameCard', 'response', session.get('keptCard', 'response'));
    },
    wire,
  ),
  server(
    'CACHE-009',
    'the extended card may be kept by all',
    (session) => session.set('extended', 'response/headers/Cache-Control', 'public, max-age=60'),
    wire,
  ),
  server(
    'CACHE-010',
    'a card that depends on the caller does not say so',
    (session) => {
      session.copy('keptCard', 'memberCard');
      // Long after, so that the card that the client has is not fresh any more.
      session.set('memberCard', 'at', '2026-01-01T01:16:01.000Z');
      session.set('memberCard', 'request/headers/Authorization', 'Bearer member-1');
      session.set('memberCard', 'request/headers/If-None-Match', '"card-1"');
      session.set('memberCard', 'response/body/description', 'Answers the questions of members');
      session.set('memberCard', 'response/body/version', '1.2.4');
      session.set('memberCard', 'response/headers/ETag', '"card-2"');
      session.copy('memberCard', 'openCard');
      session.set('openCard', 'at', '2026-01-01T02:26:02.000Z');
      session.set('openCard', 'request', session.get('keptCard', 'request'));
      session.set('openCard', 'request/headers/If-None-Match', '"card-2"');
      session.set('openCard', 'response', session.get('keptCard', 'response'));
      session.without('sameCard');
    },
    wire,
  ),
  client(
    'CACHE-011',
    'a client goes by the public card though it has the extended one',
    (session) => {
      session.set('extended', 'response/body/result/supportedInterfaces', [
        { url: 'https://agent.example/members', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ]);
      // A second later: so that a call is part of what is judged.
      session.set('get', 'at', '2026-01-01T00:00:25.000Z');
    },
    {
      ...wire,
      versions: ['1.0'],
      bindings: ['JSONRPC'],
    },
  ),
  client(
    'CACHE-011',
    'a client goes by the public card though it has the extended one',
    (session) => {
      session.set('extended', 'response/body/supportedInterfaces', [
        { url: 'https://agent.example/members', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ]);
      // A second later: so that a call is part of what is judged.
      session.set('get', 'at', '2026-01-01T00:00:25.000Z');
    },
    {
      ...wire,
      versions: ['1.0'],
      bindings: ['HTTP+JSON'],
    },
  ),
  client(
    'CACHE-011',
    'a client goes by the public card though it has the extended one',
    (session) => {
      session.set('extended', 'response/body/result/url', 'https://agent.example/members');
      session.set('extended', 'response/body/result/preferredTransport', 'JSONRPC');
      session.set('extended', 'response/body/result/additionalInterfaces', [
        { url: 'https://agent.example/members', transport: 'JSONRPC' },
      ]);
      // A second later: so that a call is part of what is judged.
      session.set('get', 'at', '2026-01-01T00:00:25.000Z');
    },
    {
      ...wire,
      versions: ['0.3'],
      bindings: ['JSONRPC'],
    },
  ),
  client(
    'CACHE-011',
    'a client goes by the public card though it has the extended one',
    (session) => {
      session.set('extended', 'response/body/url', 'https://agent.example/members');
      session.set('extended', 'response/body/preferredTransport', 'HTTP+JSON');
      session.set('extended', 'response/body/additionalInterfaces', [
        { url: 'https://agent.example/members', transport: 'HTTP+JSON' },
      ]);
      // A second later: so that a call is part of what is judged.
      session.set('get', 'at', '2026-01-01T00:00:25.000Z');
    },
    {
      ...wire,
      versions: ['0.3'],
      bindings: ['HTTP+JSON'],
    },
  ),
  client(
    'CACHE-011',
    'a client goes by the public card though it has the extended one',
    (session) => {
      session.set('extended', 'grpc/response/url', 'https://agent.example/members');
      session.set('extended', 'grpc/response/preferredTransport', 'JSONRPC');
      session.set('extended', 'grpc/response/additionalInterfaces', [
        { url: 'https://agent.example/members', transport: 'JSONRPC' },
      ]);
      // A second later: so that a call is part of what is judged.
      session.set('get', 'at', '2026-01-01T00:00:25.000Z');
    },
    {
      ...wire,
      versions: ['0.3'],
      bindings: ['GRPC'],
    },
  ),
  client(
    'CACHE-011',
    'a client goes by the public card though it has the extended one',
    (session) => {
      session.set('extended', 'grpc/response/supportedInterfaces', [
        { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ]);
      // A second later: so that a call is part of what is judged.
      session.set('get', 'at', '2026-01-01T00:00:25.000Z');
    },
    {
      ...wire,
      versions: ['1.0'],
      bindings: ['GRPC'],
    },
  ),
];

export default mutations;
