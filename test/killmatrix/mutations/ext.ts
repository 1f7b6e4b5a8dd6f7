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
    { also: { 'ART-011': 'extensions of artifacts are declared' } },
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
  server('EXT-004', 'an extension that the agent does not know is refused', (session) => {
    session.set('get', 'request/headers/A2A-Extensions', 'https://extensions.example/cite/v1');
    session.fail('get', {
      code: -32004,
      message: 'The extension https://extensions.example/cite/v1 is not supported',
      data: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'UNSUPPORTED_OPERATION',
          domain: 'a2a-protocol.org',
        },
      ],
    });
  }),
  server(
    'EXT-006',
    'another version of an extension is used',
    (session) => {
      session.set('placed', 'request/headers/A2A-Extensions', 'https://extensions.example/geo/v2');
      session.set('placed', 'params/message/extensions', ['https://extensions.example/geo/v2']);
      session.drop('placed', 'params/message/metadata');
    },
    { also: { 'EXT-003': 'only what was asked for', 'EXT-010': 'only what was activated' } },
  ),
  client('EXT-008', 'the data of an extension has another key', (session) =>
    session.set('placed', 'params/message/metadata', { geo: { place: 'home' } }),
  ),
  client(
    'TEN-004',
    'the tenant of a JSON-RPC call is a header',
    (session) => {
      session.drop('tenantGet', 'params/tenant');
      session.set('tenantGet', 'request/headers/A2A-Tenant', 'blue');
    },
    {
      bindings: ['JSONRPC', 'GRPC'],
      also: { 'TEN-001': 'the request carries it', 'TEN-006': 'the task is reached without it' },
    },
  ),
  server(
    'TEN-008',
    'one card names two tenants for one interface',
    (session) =>
      session.push('tenantCard', 'response/body/supportedInterfaces', {
        url: 'https://agent.example/a2a',
        protocolBinding: 'JSONRPC',
        protocolVersion: '1.0',
        tenant: 'green',
      }),
    wire,
  ),
  server(
    'TEN-006',
    'a task is reached under another tenant',
    (session) => {
      session.copy('tenantCard', 'greenCard');
      session.set('tenantGet', 'params/tenant', 'green');
    },
    { also: { 'TEN-001': 'exactly that tenant', 'TEN-007': 'to the letter', 'CACHE-006': 'a fresh card' } },
  ),
  client(
    'TEN-003',
    'the tenant of an HTTP+JSON call is a header',
    (session) => {
      session.drop('tenantGet', 'params/tenant');
      session.set('tenantGet', 'request/headers/X-Tenant-Id', 'blue');
    },
    {
      bindings: ['HTTP+JSON'],
      also: { 'TEN-001': 'the request carries it', 'TEN-006': 'the task is reached without it' },
    },
  ),
  server(
    'TEN-005',
    'a request of two tenants is served',
    (session) => session.set('tenantSend', 'request/body/tenant', 'green'),
    {
      ...wire,
      bindings: ['HTTP+JSON'],
      also: { 'TEN-001': 'exactly that tenant', 'TEN-003': 'the first segment' },
    },
  ),
];

export default mutations;
