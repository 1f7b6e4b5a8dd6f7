import type { FindingLocation, Party } from '@plugfest/model';
import type { RuleParty } from './rule.ts';
import type { ExchangeIdentity } from './subjects.ts';

/** The party that had a rule's duty in an exchange, and the name of the participant that was it. */
export function blame(
  rule: RuleParty,
  at: FindingLocation | undefined,
  { edge }: ExchangeIdentity,
): { readonly party: Party; readonly agent: string } {
  const { caller, callee, kind } = edge;
  const party = rule === 'sender' ? senderOf(at?.side, kind) : rule;
  // A task or context rule may point at a delivery: there the agent is the caller.
  const byCaller =
    party === 'client' || party === 'webhook-sender' || (party === 'server' && kind === 'webhook');
  return { party, agent: byCaller ? caller : callee };
}

function senderOf(side: FindingLocation['side'] | undefined, kind: ExchangeIdentity['edge']['kind']): Party {
  if (kind === 'webhook') return side === 'request' ? 'webhook-sender' : 'webhook-receiver';
  return side === 'request' ? 'client' : 'server';
}
