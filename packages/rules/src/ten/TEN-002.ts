import type { JsonObject } from '@plugfest/model';
import { defineRule, requestTenant } from '@plugfest/verifier';
import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { declaredTenants, oneTenantCard, tenantCard } from './selected-tenant.ts';

const card = getCard(v1.card());
const get = (params: JsonObject) => rpc({ method: 'GetTask', params, result: v1.task('WORKING') });
const restGet = (path: string) => rest({ verb: 'GET', path, response: v1.task('WORKING') });

export default defineRule({
  id: 'TEN-002',
  level: 'MUST',
  party: 'client',
  summary: 'Requests to an interface without `tenant` carry none.',
  spec: { '1.0': '8.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { tenant: 'The request names the tenant {found}; the card declares none for this interface' },
  why: 'What the agent takes the value for is its own affair: it may refuse the request, or look in another place for the task.',
  fix: 'Leave `tenant` out unless the interface that was chosen has one.',
  examples: {
    good: [
      [card, get({ id: 'task-1' })],
      [card, get({ id: 'task-1', tenant: '' })],
      [getCard(tenantCard('')), get({ id: 'task-1' })],
      [card, restGet('/tasks/task-1')],
    ],
    skip: [
      [getCard(oneTenantCard), get({ id: 'task-1', tenant: 'acme' })],
      [get({ id: 'task-1', tenant: 'acme' })],
      [getCard(tenantCard()), get({ id: 'task-1', tenant: 'acme' })],
    ],
    bad: [
      { example: [card, get({ id: 'task-1', tenant: 'acme' })], messages: ['tenant'] },
      { example: [card, restGet('/acme/tasks/task-1')], messages: ['tenant'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const tenants = declaredTenants(exchange, conversation);
    return tenants.size === 1 && tenants.has(undefined);
  },
  check: (exchange, { report }) => {
    const found = requestTenant(exchange);
    if (found === undefined) return;
    report('tenant', { data: { found }, at: { side: 'request' }, expected: 'no tenant', actual: found });
  },
});
