import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { tenantCard } from './selected-tenant.ts';
import { strayRule } from './stray-rule.ts';

const card = getCard(tenantCard());
const get = (path: string, headers = {}) =>
  rest({ verb: 'GET', path, headers, response: v1.task('WORKING') });
const send = (path: string, body: { readonly tenant?: string; readonly tenantId?: string }) =>
  rest({
    verb: 'POST',
    path,
    body: { message: v1.message('hello'), ...body },
    response: { task: v1.task('COMPLETED') },
  });

export default strayRule({
  id: 'TEN-003',
  section: '11.5',
  bindings: ['HTTP+JSON'],
  summary:
    'Over HTTP+JSON the tenant is the first segment of the path after the base, or the member or query parameter `tenant`.',
  place: '`/{tenant}` after the base, or `tenant`',
  why: 'The agent looks for the tenant where the proto has it; anywhere else it is not seen, and the request goes to nobody.',
  fix: 'Call {base}/{tenant}/tasks/…, or send `tenant` in the body of a POST and in the query of a GET.',
  good: [
    [card, get('/acme/tasks/task-1')],
    [card, get('/tasks/task-1?tenant=acme')],
    [card, send('/message:send', { tenant: 'acme' })],
  ],
  skip: [
    [get('/acme/tasks/task-1')],
    [getCard(v1.card()), get('/tasks/task-1')],
    [card, rpc({ method: 'GetTask', params: { id: 'task-1', tenant: 'acme' }, result: v1.task('WORKING') })],
  ],
  bad: [
    [card, get('/tasks/task-1', { 'X-Tenant-Id': 'acme' })],
    [card, get('/tasks/task-1?tenantId=acme')],
    [card, send('/message:send', { tenantId: 'acme' })],
  ],
});
