import type {
  ExchangeSummary,
  HopLink,
  Propagation,
  PropagationVerdict,
  TraceContext,
} from '@plugfest/model';
import { parseTraceparent } from '@plugfest/model';

export interface PropagationInput {
  /** In order of observation. */
  readonly summaries: readonly ExchangeSummary[];
  readonly links: readonly HopLink[];
  /** Names of the agents to judge, in the order wanted. */
  readonly agents: readonly string[];
}

type Exercised = Exclude<Propagation, 'not-exercised'>;

/** From good to bad: what an agent does worst is what a lab has to count with. */
const byBadness: readonly Exercised[] = ['propagates', 'copies', 'restarts', 'drops'];

/**
 * What each agent does with trace context (W3C Trace Context sections 3.2 and 4.3), judged by the calls and
 * webhook deliveries it sent once it had been given some. `hops` counts those that decided. Card fetches are not
 * judged: they may come from another client, at another time, than the work. No rule of A2A requires any of this.
 */
export function propagationVerdicts(input: PropagationInput): readonly PropagationVerdict[] {
  const byId = new Map(input.summaries.map((summary) => [summary.id, summary]));
  const linkOf = new Map(input.links.map((link) => [link.exchange, link]));
  const counts = new Map(input.agents.map((agent) => [agent, new Map<Exercised, number>()]));
  /** Contexts given to each agent so far, as `trace` and as `trace:span`. */
  const givenTo = new Map<string, Set<string>>();

  for (const summary of input.summaries) {
    const count = counts.get(summary.caller);
    if (count !== undefined && (summary.kind === 'operation' || summary.kind === 'webhook')) {
      const known = givenTo.get(summary.caller) ?? new Set();
      const link = linkOf.get(summary.id);
      if (link !== undefined && wasGiven(link, byId)) {
        const what = judge(parseTraceparent(summary.traceparent), known);
        count.set(what, (count.get(what) ?? 0) + 1);
      }
    }
    const given = contextGiven(summary);
    if (given === undefined) continue;
    const known = givenTo.get(summary.callee) ?? new Set();
    givenTo.set(summary.callee, known.add(given.traceId).add(`${given.traceId}:${given.spanId}`));
  }

  return input.agents.map((agent) => {
    const count = counts.get(agent);
    const verdict = byBadness.findLast((each) => count?.has(each)) ?? 'not-exercised';
    return { agent, verdict, hops: verdict === 'not-exercised' ? 0 : (count?.get(verdict) ?? 0) };
  });
}

const contextGiven = (summary: ExchangeSummary): TraceContext | undefined =>
  parseTraceparent(summary.forwardedTraceparent ?? summary.traceparent);

/** The cause gave context; or, where it is not decided, all that may be the cause did. */
function wasGiven(link: HopLink, byId: ReadonlyMap<string, ExchangeSummary>): boolean {
  const causes = link.parent === undefined ? link.also.map(({ exchange }) => exchange) : [link.parent];
  return (
    causes.length > 0 &&
    causes.every((id) => {
      const cause = byId.get(id);
      return cause !== undefined && contextGiven(cause) !== undefined;
    })
  );
}

function judge(sent: TraceContext | undefined, given: ReadonlySet<string>): Exercised {
  if (sent === undefined) return 'drops';
  if (!given.has(sent.traceId)) return 'restarts';
  return given.has(`${sent.traceId}:${sent.spanId}`) ? 'copies' : 'propagates';
}
