import type { JsonObject } from '@plugfest/model';
import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { oneTenantCard, tenantCard } from './selected-tenant.ts';
import { strayRule } from './stray-rule.ts';

const card = getCard(tenantCard());
const get = { method: 'GetTask', result: v1.task('WORKING') } as const;
const envelope = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'task-1' } } as const;
const send = (message: JsonObject, configuration: JsonObject = {}) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message('hello', message), configuration },
    result: { task: v1.task('COMPLETED') },
  });

export default strayRule({
  id: 'TEN-004',
  section: '8.3.2',
  bindings: ['JSONRPC', 'GRPC'],
  summary: 'Over JSON-RPC and gRPC the tenant is the member `tenant` of the request.',
  place: '`tenant` of the request itself',
  why: 'The agent looks for the tenant where the proto has it; anywhere else it is not seen, and the request goes to nobody.',
  fix: 'Set `tenant` in `params` (JSON-RPC) or in the request message (gRPC) of every operation.',
  good: [[card, rpc({ ...get, params: { id: 'task-1', tenant: 'acme' } })]],
  skip: [
    [rpc({ ...get, params: { id: 'task-1', tenant: 'acme' } })],
    [getCard(v1.card()), rpc({ ...get, params: { id: 'task-1' } })],
    // Another interface at this URL has no tenant.
    [getCard(oneTenantCard), rpc({ ...get, params: { id: 'task-1', tenant: 'acme' } })],
    [card, rest({ verb: 'GET', path: '/acme/tasks/task-1', response: v1.task('WORKING') })],
  ],
  bad: [
    [card, rpc({ ...get, params: { id: 'task-1' }, headers: { 'X-Tenant-Id': 'acme' } })],
    [card, rpc({ ...get, params: { id: 'task-1', tenantId: 'acme' } })],
    [card, send({ tenant: 'acme' })],
    [card, send({}, { tenant: 'acme' })],
    [card, rpc({ ...get, requestBody: { ...envelope, tenant: 'acme' } })],
  ],
});
