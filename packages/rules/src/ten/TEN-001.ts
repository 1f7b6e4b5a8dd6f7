import type { DecodedExchange } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { defineRule, requestTenant } from '@plugfest/verifier';
import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import {
  declaredTenants,
  demandsTenant,
  isAltered,
  isTenantUnseen,
  strayTenant,
  tenantCard,
  twoTenantsCard,
} from './selected-tenant.ts';

const card = getCard(tenantCard());
const get = (params: JsonObject) => rpc({ method: 'GetTask', params, result: v1.task('WORKING') });
const restGet = (path: string, headers = {}) =>
  rest({ verb: 'GET', path, headers, response: v1.task('WORKING') });
const send = (body: JsonObject) =>
  rest({
    verb: 'POST',
    path: '/message:send',
    body: { message: v1.message('hello'), ...body },
    response: { task: v1.task('COMPLETED') },
  });

/** A tenant that is there but in the wrong place or changed is for TEN-003, TEN-004 and TEN-007 to say. */
function fault(exchange: DecodedExchange, conversation: Conversation): 'missing' | 'other' | undefined {
  const tenants = declaredTenants(exchange, conversation);
  const named = requestTenant(exchange);
  if (named === undefined) return strayTenant(exchange, tenants) === undefined ? 'missing' : undefined;
  return tenants.has(named) || isAltered(named, tenants) ? undefined : 'other';
}

export default defineRule({
  id: 'TEN-001',
  level: 'MUST',
  party: 'client',
  summary: 'Every request to an interface with a `tenant` carries exactly that tenant.',
  spec: { '1.0': '8.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    missing: 'The request names no tenant; the card declares {tenants} for this interface',
    other: 'The request names the tenant {found}; the card declares {tenants} for this interface',
  },
  why: 'Several agents or customers share the URL: without its tenant the request goes to the wrong one, or to none.',
  fix: 'Copy `tenant` from the interface that was chosen into every request, also when tasks are polled or canceled.',
  examples: {
    good: [
      [card, get({ id: 'task-1', tenant: 'acme' })],
      [card, restGet('/acme/tasks/task-1')],
      [card, restGet('/tasks/task-1?tenant=acme')],
      [card, send({ tenant: 'acme' })],
    ],
    skip: [[get({ id: 'task-1' })], [getCard(v1.card()), get({ id: 'task-1' })]],
    bad: [
      { example: [card, get({ id: 'task-1' })], messages: ['missing'] },
      { example: [card, get({ id: 'task-1', tenant: 'globex' })], messages: ['other'] },
      { example: [card, restGet('/globex/tasks/task-1')], messages: ['other'] },
      { example: [card, send({})], messages: ['missing'] },
      // Somewhere else there is a tenant of another agent, or something that is called the same.
      { example: [card, get({ id: 'acme', tenantId: 'globex' })], messages: ['missing'] },
      {
        example: [card, restGet('/tasks/task-1', { 'X-Tenant-Id': 'globex', 'X-Team': 'acme' })],
        messages: ['missing'],
      },
      { example: [card, restGet('/tasks/task-1?tenantId=globex&team=acme')], messages: ['missing'] },
      { example: [getCard(twoTenantsCard), get({ id: 'task-1' })], messages: ['missing'] },
    ],
  },
  when: (exchange, { conversation }) => {
    if (!demandsTenant(declaredTenants(exchange, conversation))) return false;
    return isTenantUnseen(exchange) ? 'undecidable' : true;
  },
  check: (exchange, { conversation, report }) => {
    const found = fault(exchange, conversation);
    if (found === undefined) return;
    const tenants = [...declaredTenants(exchange, conversation)].join(' or ');
    const named = requestTenant(exchange);
    report(found, {
      data: { tenants, found: named },
      at: { side: 'request' },
      expected: tenants,
      actual: named,
    });
  },
});
