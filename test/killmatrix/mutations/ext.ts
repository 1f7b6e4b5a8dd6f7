import { client, type Mutation, server } from '../mutation.ts';

const http = { bindings: ['JSONRPC', 'HTTP+JSON'] as const };
const wire = { level: 'wire' as const };
const geo = 'https://extensions.example/geo/v1';

const mutations: readonly Mutation[] = [
  server(
    'EXT-002',
    'an answer does not name the extensions it was made with',
    (session) => session.drop('placed', 'response/headers/A2A-Extensions'),
    http,
  ),
  server(
    'EXT-003',
    'an extension is active that nobody asked for',
    (session) =>
      session.set('placed', 'response/headers/A2A-Extensions', `${geo}, https://extensions.example/other/v1`),
    http,
  ),
  server('EXT-005', 'a message without a required extension is served', (session) => {
    session.drop('strict', 'error');
    session.set('strict', 'result', { message: session.get('direct', 'result/message') });
  }),
  client(
    'EXT-007',
    'a message uses an extension that it does not ask for',
    (session) => session.push('placed', 'params/message/extensions', 'https://extensions.example/other/v1'),
    http,
  ),
  server(
    'EXT-009',
    'an extension adds a member',
    (session) => session.set('placed', `result/task/${geo.replaceAll('/', '~1')}`, { place: 'home' }),
    http,
  ),
  server(
    'EXT-010',
    'an artifact uses an extension that was not activated',
    (session) =>
      session.push('placed', 'result/task/artifacts/0/extensions', 'https://extensions.example/other/v1'),
    { ...http, also: { 'ART-011': 'extensions of artifacts are declared' } },
  ),
  server(
    'EXT-011',
    'the URI of an extension has no version',
    (session) =>
      session.push('card', 'response/body/capabilities/extensions', {
        uri: 'https://extensions.example/other',
      }),
    { versions: ['1.0'] },
  ),
  server(
    'EXT-013',
    'extensions are declared at the top of the card',
    (session) =>
      session.set('card', 'response/body/extensions', [{ uri: 'https://extensions.example/other/v1' }]),
    { ...wire, versions: ['1.0'] },
  ),
  client(
    'EXT-001',
    'an extension is asked for by a relative URI',
    (session) => {
      session.drop('strict', 'purpose');
      session.set('strict', 'request/headers/A2A-Extensions', 'extensions/strict/v1');
    },
    { also: { 'HDR-004': 'a list of URIs' } },
  ),
  client(
    'TEN-001',
    'a request leaves out the tenant',
    (session) => session.drop('tenantGet', 'params/tenant'),
    {
      also: { 'TEN-006': 'the task is reached without it' },
    },
  ),
  client(
    'TEN-002',
    'a request has a tenant of its own',
    (session) => session.set('get', 'params/tenant', 'blue'),
    {
      also: { 'TEN-006': 'the task is reached under it' },
    },
  ),
  client(
    'TEN-007',
    'the tenant is written otherwise',
    (session) => session.set('tenantGet', 'params/tenant', 'Blue'),
    {
      also: { 'TEN-006': 'the task is reached under it', 'TEN-001': 'exactly that tenant' },
    },
  ),
  server(
    'TEN-009',
    'a tenant has a slash',
    (session) =>
      session.push('tenantCard', 'response/body/supportedInterfaces', {
        url: 'https://agent.example/other',
        protocolBinding: 'HTTP+JSON',
        protocolVersion: '1.0',
        tenant: 'blue/green',
      }),
    { ...wire, also: { 'TEN-008': 'one card names one tenant' } },
  ),
];

export default mutations;
