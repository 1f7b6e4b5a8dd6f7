import type { Binding } from '@plugfest/model';
import type { Rule } from '@plugfest/verifier';
import { defineRule, requestTenant } from '@plugfest/verifier';
import type { Example } from '@plugfest/verifier/examples';
import { declaredTenants, demandsTenant, strayTenant } from './selected-tenant.ts';

/** What is particular to the place of the tenant in one kind of binding. */
export interface StrayRule {
  readonly id: string;
  readonly section: string;
  readonly bindings: readonly Binding[];
  readonly summary: string;
  /** Where the tenant belongs. */
  readonly place: string;
  readonly why: string;
  readonly fix: string;
  readonly good: readonly Example[];
  readonly skip: readonly Example[];
  readonly bad: readonly Example[];
}

/** The tenant is where the binding has it; a request that names it nowhere is for TEN-001. */
export function strayRule(definition: StrayRule): Rule {
  const { section, place, good, skip, bad, ...rest } = definition;
  return defineRule({
    ...rest,
    level: 'MUST',
    party: 'client',
    spec: { '1.0': section },
    scope: 'exchange',
    messages: { stray: `The tenant is in {place} instead of ${place}` },
    examples: { good, skip, bad: bad.map((example) => ({ example, messages: ['stray'] as const })) },
    when: (exchange, { conversation }) => {
      const tenants = declaredTenants(exchange, conversation);
      if (!demandsTenant(tenants)) return false;
      const named = requestTenant(exchange);
      return named === undefined ? strayTenant(exchange, tenants) !== undefined : tenants.has(named);
    },
    check: (exchange, { conversation, report }) => {
      if (requestTenant(exchange) !== undefined) return;
      const stray = strayTenant(exchange, declaredTenants(exchange, conversation));
      if (stray === undefined) return;
      report('stray', {
        data: { place: stray.place },
        at: { side: 'request', ...stray.at },
        expected: place,
        actual: stray.place,
      });
    },
  });
}
