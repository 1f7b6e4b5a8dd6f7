import { notFound } from '../episodes/words.ts';
import { client, type Mutation, server } from '../mutation.ts';

const wire = { level: 'wire' as const };

const mutations: readonly Mutation[] = [
  client('TEN-001', 'a request leaves out the tenant', (session) =>
    session.drop('tenantGet', 'params/tenant'),
  ),
  client('TEN-002', 'a request has a tenant of its own', (session) =>
    session.set('get', 'params/tenant', 'blue'),
  ),
  client('TEN-007', 'the tenant is written otherwise', (session) => {
    session.set('tenantGet', 'params/tenant', 'Blue');
    session.fail('tenantGet', notFound);
  }),
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
    wire,
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
  server('TEN-006', 'a task is reached under another tenant', (session) => {
    session.set('tenantGet', 'params/tenant', 'green');
    session.set('tenantGet', 'purpose', 'probe');
  }),
  client(
    'TEN-003',
    'the tenant of an HTTP+JSON call is a header',
    (session) => {
      session.drop('tenantGet', 'params/tenant');
      session.set('tenantGet', 'request/headers/X-Tenant-Id', 'blue');
    },
    {
      bindings: ['HTTP+JSON'],
    },
  ),
  server(
    'TEN-005',
    'a request of two tenants is served',
    (session) => session.set('tenantSend', 'request/body/tenant', 'green'),
    {
      ...wire,
      bindings: ['HTTP+JSON'],
    },
  ),
];

export default mutations;
