import type { CardInterface, CardView } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { tenantCard } from './selected-tenant.ts';

/** First segments of the paths of operations, with and without a tenant before them. */
const reserved: ReadonlySet<string> = new Set([
  ...['tasks', 'message:send', 'message:stream', 'extendedAgentCard'],
  // Segments that URL parsers take out.
  ...['.', '..'],
]);

const inPaths = ({ interfaces }: CardView): readonly CardInterface[] =>
  interfaces.filter(({ binding, tenant }) => binding === 'HTTP+JSON' && tenant);

export default defineRule({
  id: 'TEN-009',
  level: 'SHOULD',
  party: 'server',
  summary:
    'The tenant of an HTTP+JSON interface can stand in a path: it has no slash, and is no segment of A2A itself.',
  spec: { '1.0': '11.3' },
  bindings: ['HTTP+JSON'],
  scope: 'card',
  messages: {
    slash: 'The tenant {tenant} has a slash in it',
    reserved: 'The tenant {tenant} is a segment of the paths of A2A itself',
  },
  why: 'Clients put the tenant into the path, where a router finds another operation in it, or none.',
  fix: 'Use tenants of letters, digits, `-` and `_`.',
  examples: {
    good: [[getCard(tenantCard())]],
    skip: [[getCard(v1.card())], [getCard(tenantCard(''))]],
    bad: [
      { example: [getCard(tenantCard('acme/rome'))], messages: ['slash'] },
      { example: [getCard(tenantCard('tasks'))], messages: ['reserved'] },
    ],
  },
  when: ({ card }) => inPaths(card).length > 0,
  check: (subject, { report }) => {
    for (const { tenant = '', pointer } of inPaths(subject.card)) {
      const fault = tenant.includes('/') ? 'slash' : reserved.has(tenant) ? 'reserved' : undefined;
      if (fault === undefined) continue;
      report(fault, {
        data: { tenant },
        at: inCard(subject, `${pointer}/tenant`),
        expected: 'a text that is one segment of a path',
        actual: tenant,
      });
    }
  },
});
