import { PlugfestError } from '@plugfest/model';
import type { KindAgent } from '../lab/lab.ts';
import type { KindOffers } from './kinds.ts';

/**
 * The versions that an agent of a lab is started with: those that the lab names and its kind has.
 * @throws PlugfestError PLUGFEST_LAB_INVALID where the lab asks for what the kind has not.
 */
export function askedOf(
  agent: KindAgent,
  { versions, bindings, features }: KindOffers,
): KindAgent['protocol'] {
  const lacks = (key: string, what: string, has: readonly string[]): PlugfestError =>
    new PlugfestError(
      'PLUGFEST_LAB_INVALID',
      `agents.${agent.name}.${key}: the kind ${agent.kind} has no ${what}; it has ${has.join(', ') || 'none'}`,
      { hint: 'Ask for what the kind has, or take another kind.' },
    );
  const binding = agent.bindings?.find((each) => !bindings.includes(each));
  if (binding !== undefined) throw lacks('bindings', binding, bindings);
  if (agent.auth !== undefined && features?.includes('auth') === false) throw lacks('auth', 'auth', features);
  if (agent.extendedCard && features?.includes('extendedCard') === false)
    throw lacks('extendedCard', 'extended card', features);
  // Unlike the others, nothing that SDKs are likely to have: it has to be named.
  if (agent.signCard && features?.includes('signCard') !== true)
    throw lacks('signCard', 'signed card', features ?? []);
  if (agent.requireExtension !== undefined && features?.includes('requireExtension') !== true)
    throw lacks('requireExtension', 'required extension', features ?? []);
  if (agent.offerExtension !== undefined && features?.includes('offerExtension') !== true)
    throw lacks('offerExtension', 'extension to offer', features ?? []);
  if (agent.protocol !== 'both') {
    if (!versions.includes(agent.protocol)) throw lacks('protocol', agent.protocol, versions);
    return agent.protocol;
  }
  const [only, other] = versions;
  return other === undefined && only !== undefined ? only : 'both';
}
