import type { CardInterface, CardView } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { tenantCard, twoTenantsCard } from './selected-tenant.ts';

const withTenant = ({ interfaces }: CardView): readonly CardInterface[] =>
  interfaces.filter(({ tenant }) => tenant);

export default defineRule({
  id: 'TEN-008',
  level: 'SHOULD',
  party: 'server',
  summary: 'Agents that share a URL have a card each: one card names one tenant for one interface.',
  spec: { '1.0': 'multi-tenancy topic' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { several: 'The card declares the tenants {tenants} for one and the same interface {url}' },
  why: 'A client takes the first entry that it supports and never calls the others, so that those agents cannot be found.',
  fix: 'Publish a card for each agent, with its own tenant, name and skills.',
  examples: {
    good: [[getCard(tenantCard())]],
    skip: [[getCard(v1.card())], [getCard(tenantCard(''))]],
    bad: [{ example: [getCard(twoTenantsCard)], messages: ['several'] }],
  },
  when: ({ card }) => withTenant(card).length > 1,
  check: (subject, { report }) => {
    const tenants = new Map<string, { readonly url: string | undefined; readonly names: Set<string> }>();
    for (const { url, binding, rawVersion, tenant = '' } of withTenant(subject.card)) {
      const key = `${binding} ${JSON.stringify(rawVersion)} ${url}`;
      const known = tenants.get(key) ?? { url, names: new Set() };
      known.names.add(tenant);
      tenants.set(key, known);
    }
    for (const { url, names } of tenants.values())
      if (names.size > 1)
        report('several', {
          data: { tenants: [...names].join(', '), url },
          at: inCard(subject, '/supportedInterfaces'),
          expected: 'one tenant',
          actual: [...names].join(', '),
        });
  },
});
