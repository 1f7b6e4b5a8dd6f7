import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { tenantCard } from './selected-tenant.ts';
import { strayRule } from './stray-rule.ts';

const card = getCard(tenantCard());
const get = { method: 'GetTask', result: v1.task('WORKING') } as const;
const send = (message: Parameters<typeof v1.message>[1]) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message('hello', message) },
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
    [card, rest({ verb: 'GET', path: '/acme/tasks/task-1', response: v1.task('WORKING') })],
  ],
  bad: [
    [card, rpc({ ...get, params: { id: 'task-1' }, headers: { 'X-Tenant-Id': 'acme' } })],
    [card, rpc({ ...get, params: { id: 'task-1', tenantId: 'acme' } })],
    [card, send({ tenant: 'acme' })],
  ],
});
