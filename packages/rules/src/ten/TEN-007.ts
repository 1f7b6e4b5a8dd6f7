import { defineRule, requestTenant } from '@plugfest/verifier';
import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { declaredTenants, demandsTenant, isAltered, tenantCard, twoTenantsCard } from './selected-tenant.ts';

const card = getCard(tenantCard('Acme Rome'));
const get = (tenant: string) =>
  rpc({ method: 'GetTask', params: { id: 'task-1', tenant }, result: v1.task('WORKING') });
const restGet = (tenant: string) =>
  rest({ verb: 'GET', path: `/${tenant}/tasks/task-1`, response: v1.task('WORKING') });

export default defineRule({
  id: 'TEN-007',
  level: 'MUST',
  party: 'client',
  summary: 'The tenant is sent back as the card has it, character for character.',
  spec: { '1.0': '4.4.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { altered: 'The request names the tenant {found} instead of {tenants}' },
  why: 'The value is a key of the agent: changed in case, white space or encoding it is another key.',
  fix: 'Treat the tenant as opaque; percent-encode it only where it stands in a path or query.',
  examples: {
    good: [
      [card, get('Acme Rome')],
      [card, restGet('Acme%20Rome')],
    ],
    skip: [
      [get('acme rome')],
      [card, get('globex')],
      [getCard(v1.card()), rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [card, get('acme rome')], messages: ['altered'] },
      { example: [card, get('Acme Rome ')], messages: ['altered'] },
      { example: [getCard(twoTenantsCard), get('ACME')], messages: ['altered'] },
      { example: [card, get('Acme%20Rome')], messages: ['altered'] },
      { example: [card, restGet('Acme%2520Rome')], messages: ['altered'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const tenants = declaredTenants(exchange, conversation);
    const named = requestTenant(exchange);
    if (named === undefined || !demandsTenant(tenants)) return false;
    return tenants.has(named) || isAltered(named, tenants);
  },
  check: (exchange, { conversation, report }) => {
    const declared = declaredTenants(exchange, conversation);
    const found = requestTenant(exchange);
    if (found === undefined || declared.has(found)) return;
    const tenants = [...declared].join(' or ');
    report('altered', {
      data: { found, tenants },
      at: { side: 'request' },
      expected: tenants,
      actual: found,
    });
  },
});
