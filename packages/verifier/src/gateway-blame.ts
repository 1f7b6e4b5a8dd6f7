import type { ExchangeId, Finding, OmittedFindings } from '@plugfest/model';
import type { Relay } from './conversation/messages.ts';

/** Who is known to hand messages on. */
export interface GatewayKnowledge {
  /** By the capture's word, names of gateways. */
  readonly named: ReadonlySet<string> | undefined;
  /** By the traffic, the two hops of an exchange's message. */
  relayOf(exchange: ExchangeId): Relay | undefined;
}

/**
 * Blames gateways for what is their own. Whoever hands messages on is neither their client nor their server; where the
 * capture does not name it as a gateway, that it is one shows at its next hop only, so after all has been judged.
 */
export function withGateways(findings: readonly Finding[], knowledge: GatewayKnowledge): readonly Finding[] {
  const passedOn = passedOnIn(findings, knowledge);
  return findings.map((finding) => {
    const origin = passedOn.get(finding);
    if (origin !== undefined) return origin;
    const isGateway =
      isEnd(finding) &&
      (knowledge.named?.has(finding.agent) === true ||
        knowledge.relayOf(finding.exchange)?.gateway === finding.agent);
    return isGateway ? { ...finding, party: 'gateway' } : finding;
  });
}

/** Findings that are only counted name no exchange: of them only the gateways are told apart that the capture names. */
export function withNamedGateway(
  group: OmittedFindings,
  { named }: Pick<GatewayKnowledge, 'named'>,
): OmittedFindings {
  return isEnd(group) && named?.has(group.agent) === true ? { ...group, party: 'gateway' } : group;
}

const isEnd = ({ party }: Pick<Finding, 'party'>): boolean => party === 'client' || party === 'server';

/**
 * Findings on a gateway's side that the hop behind it shows, too: the gateway handed the fault on as it came, so it
 * stays with whoever made it. What shows on one hop only is the gateway's own.
 */
function passedOnIn(
  findings: readonly Finding[],
  { relayOf }: GatewayKnowledge,
): ReadonlyMap<Finding, Finding> {
  const byHop = new Map<string, Finding>();
  const relayed: { readonly finding: Finding; readonly relay: Relay }[] = [];
  for (const finding of findings) {
    const relay = relayOf(finding.exchange);
    if (relay === undefined) continue;
    relayed.push({ finding, relay });
    byHop.set(faultOf(finding, finding.exchange), finding);
  }
  const origins = new Map<Finding, Finding>();
  for (const { finding, relay } of relayed) {
    const { party, agent, exchange } = finding;
    if (agent !== relay.gateway) continue;
    const origin = byHop.get(faultOf(finding, exchange === relay.first ? relay.second : relay.first));
    if (origin !== undefined && origin.agent !== agent && origin.party === party)
      origins.set(finding, { ...finding, agent: origin.agent });
  }
  return origins;
}

/** The same for the same fault at the same place of an exchange. */
const faultOf = ({ rule, message, at }: Finding, exchange: string): string =>
  [exchange, rule, message, at?.side, at?.event, at?.pointer].join('\u0000');
