import type { DecodedExchange, Jwk, Payload } from '@plugfest/a2a';
import { decodeExchange } from '@plugfest/a2a';
import type {
  Binding,
  CapturedExchange,
  CaptureSource,
  Finding,
  FindingOutcome,
  Gap,
  Level,
  ParticipantKind,
  Party,
  ProtocolVersion,
  RuleResult,
  Verdict,
} from '@plugfest/model';
import type { Relay } from './conversation/messages.ts';
import { Conversation } from './conversation.ts';
import { fillIn, shown } from './message-text.ts';
import type { Rulebook } from './registry.ts';
import type { CheckContext, Report, Rule, RuleContext, Scope, Subjects } from './rule.ts';
import type { ExchangeIdentity, StreamSubject } from './subjects.ts';

export interface VerifyOptions {
  /** Called with each exchange as it is decoded, so that others need not decode it again. */
  readonly onExchange?: (exchange: DecodedExchange) => void;
  /** Names of participants that are Plugfest itself: their breaches are blamed on the harness. */
  readonly harness?: ReadonlySet<string>;
  /** Names of participants that pass others' traffic on: their breaches are a gateway's. */
  readonly gateways?: ReadonlySet<string>;
  /** What the capture lost: rules of absence do not decide across it. */
  readonly gaps?: readonly Gap[];
  /** Public keys that card signatures may have been made with; never fetched. */
  readonly keys?: readonly Jwk[];
}

const outcomeOf: Readonly<Record<Level, FindingOutcome>> = {
  MUST: 'fail',
  SHOULD: 'warn',
  MAY: 'info',
  INFO: 'info',
};

interface Tally {
  exercised: number;
  violations: number;
  undecidable: number;
  worst: FindingOutcome | undefined;
  error: string | undefined;
}

/** A rule that has something to say of a version and binding, with the section that says it. */
interface ApplicableRule {
  readonly rule: Rule;
  readonly tally: Tally;
  /** What the rule is applied to at the moment. */
  placed: Placed | undefined;
  /** For `check`. One for all subjects, as rules are applied a hundred times for each exchange. */
  readonly context: CheckContext<string>;
}

interface Placed {
  readonly version: ProtocolVersion;
  readonly exchange: ExchangeIdentity;
  /** Undefined for subjects that span several exchanges and bindings. */
  readonly binding: DecodedExchange['dialect'] | undefined;
  readonly purpose: CapturedExchange['purpose'];
}

/** Applies a rulebook to the exchanges of one capture, in order of observation. */
export class Verification {
  readonly #rulebook: Rulebook;
  readonly #options: VerifyOptions;
  readonly #conversation: Conversation;
  readonly #findings: { readonly finding: Finding; readonly seq: number }[] = [];
  readonly #tallies = new Map<string, Tally>();
  readonly #context: RuleContext;
  readonly #applicableTo = new Map<string, readonly ApplicableRule[]>();

  constructor(book: Rulebook, options: VerifyOptions = {}) {
    this.#rulebook = book;
    this.#options = options;
    this.#conversation = new Conversation(options.gaps, options.keys);
    this.#context = { conversation: this.#conversation };
    for (const rule of book.rules)
      this.#tallies.set(rule.id, {
        exercised: 0,
        violations: 0,
        undecidable: 0,
        worst: undefined,
        error: undefined,
      });
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  /** Judges the next exchange by itself and adds it to the conversation. */
  add(captured: CapturedExchange): void {
    const { caller, callee, kind } = captured.edge;
    const agent = kind === 'webhook' ? caller : callee;
    const exchange = decodeExchange(captured, { peer: this.#conversation.peer(agent) });
    this.#options.onExchange?.(exchange);
    const { dialect } = exchange;
    if (dialect !== undefined && exchange.kind !== 'other') {
      const placed: Placed = {
        version: dialect.version,
        exchange: captured,
        binding: dialect,
        purpose: captured.purpose,
      };
      if (exchange.kind === 'operation') this.#judge('exchange', exchange, placed);
      // Cards and deliveries are plain HTTP, whatever the binding of the agent's operations.
      this.#judge(
        'hop',
        exchange,
        exchange.kind === 'operation' ? placed : { ...placed, binding: undefined },
      );
      const stream = streamOf(exchange);
      if (stream) this.#judge('stream', stream, placed);
      for (const payload of exchange.payloads) {
        if (payload.kind !== 'card') continue;
        const card = { exchange, card: payload.card, extended: exchange.kind === 'operation' };
        this.#judge('card', card, { ...placed, version: payload.card.version });
      }
    }
    this.#conversation.add(exchange);
  }

  /** Judges what needs the whole capture and returns all findings, in order of evidence. */
  finish(): { readonly findings: readonly Finding[]; readonly rules: readonly RuleResult[] } {
    for (const task of this.#conversation.tasks()) {
      const first = task.observations[0];
      if (first) this.#judge('task', task, spanning(first.exchange, task.version));
    }
    for (const context of this.#conversation.contexts()) {
      const first = context.firstFromServer ?? context.firstFromClient;
      if (first) this.#judge('context', context, spanning(first.exchange, context.version));
    }
    for (const webhook of this.#conversation.webhooks()) {
      const { exchange, version } = webhook.delivery;
      this.#judge('webhook', webhook, spanning(exchange, webhook.config?.version ?? version));
    }
    for (const discovery of this.#conversation.discoveries()) {
      const version = this.#conversation.cards(discovery.agent).at(-1)?.card.version;
      if (version !== undefined) this.#judge('discovery', discovery, spanning(discovery.exchange, version));
    }
    for (const sighting of this.#conversation.shownCards())
      this.#judge('shown-card', sighting, spanning(sighting.exchange, sighting.card.version));
    const sorted = this.#findings.sort(byEvidence).map(({ finding }) => finding);
    const passedOn = this.#passedOn(sorted);
    const findings = sorted.map((finding) => passedOn.get(finding) ?? this.#withGateway(finding));
    return { findings, rules: this.#rulebook.rules.map((rule) => this.#result(rule)) };
  }

  /**
   * Whoever hands messages on is neither their client nor their server. Where the capture does not name it as a
   * gateway, that it is one shows at its next hop only.
   */
  #withGateway(finding: Finding): Finding {
    const { party, agent, exchange } = finding;
    if (party !== 'client' && party !== 'server') return finding;
    const isGateway =
      this.#options.gateways?.has(agent) === true || this.#conversation.gatewayOf(exchange) === agent;
    return isGateway ? { ...finding, party: 'gateway' } : finding;
  }

  /**
   * Findings on a gateway's side that the hop behind it shows, too: the gateway handed the fault on as it came, so it
   * stays with whoever made it. What shows on one hop only is the gateway's own.
   */
  #passedOn(findings: readonly Finding[]): ReadonlyMap<Finding, Finding> {
    const byHop = new Map<string, Finding>();
    const relayed: { readonly finding: Finding; readonly relay: Relay }[] = [];
    for (const finding of findings) {
      const relay = this.#conversation.relayOf(finding.exchange);
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

  #judge<S extends Scope>(scope: S, subject: Subjects[S], placed: Placed): void {
    const binding = scope === 'card' ? undefined : placed.binding?.binding;
    for (const applicable of this.#applicable(scope, placed.version, binding)) {
      if (placed.purpose === 'probe' && applicable.rule.party === 'client') continue;
      this.#apply(applicable, subject, placed);
    }
  }

  /** The rules for one kind of subject; asked for each, so worked out once. */
  #applicable(
    scope: Scope,
    version: ProtocolVersion,
    binding: Binding | undefined,
  ): readonly ApplicableRule[] {
    const key = `${scope} ${version} ${binding}`;
    const known = this.#applicableTo.get(key);
    if (known) return known;
    const found: ApplicableRule[] = [];
    for (const rule of this.#rulebook.rules) {
      const section = rule.spec[version];
      if (rule.scope !== scope || section === undefined) continue;
      if (binding !== undefined && !rule.bindings.includes(binding)) continue;
      found.push(this.#applicableRule(rule, section));
    }
    this.#applicableTo.set(key, found);
    return found;
  }

  #applicableRule(rule: Rule, section: string): ApplicableRule {
    const tally = this.#tally(rule);
    const applicable: ApplicableRule = {
      rule,
      tally,
      placed: undefined,
      context: {
        conversation: this.#conversation,
        report: (message, report = {}) => {
          const { placed } = applicable;
          if (placed === undefined) throw new Error(`rule ${rule.id} reports outside of its check`);
          this.#report(rule, tally, message, report, placed, section);
        },
      },
    };
    return applicable;
  }

  #apply(applicable: ApplicableRule, subject: Subjects[Scope], placed: Placed): void {
    const { rule, tally } = applicable;
    try {
      const applies = rule.when(subject, this.#context);
      if (applies === 'undecidable') tally.undecidable += 1;
      if (applies !== true) return;
      tally.exercised += 1;
      applicable.placed = placed;
      rule.check(subject, applicable.context);
    } catch (problem) {
      // A rule that throws is our fault; it must show as `error`, never as a pass, and must not stop the others.
      tally.error ??= problem instanceof Error ? problem.message : String(problem);
    } finally {
      applicable.placed = undefined;
    }
  }

  #report(rule: Rule, tally: Tally, message: string, report: Report, placed: Placed, section: string): void {
    const template = rule.messages[message];
    if (template === undefined) throw new Error(`rule ${rule.id} reports the unknown message ${message}`);
    const exchange = report.exchange ?? placed.exchange;
    const { party, agent } = this.#blame(rule, report, exchange);
    // A probe sends what is wrong on purpose: only the answer to it is judged.
    if (exchange.purpose === 'probe' && agent === exchange.edge.caller) return;
    const outcome = report.outcome ?? outcomeOf[rule.level];
    tally.violations += 1;
    tally.worst = worse(tally.worst, outcome);
    const finding: Finding = {
      rule: rule.id,
      level: rule.level,
      outcome,
      party,
      agent,
      message: fillIn(template, report.data),
      ...(report.expected === undefined ? {} : { expected: report.expected }),
      ...(report.actual === undefined ? {} : { actual: shown(report.actual) }),
      fix: rule.fix,
      spec: { version: placed.version, section },
      exchange: exchange.id,
      ...(exchange.cell === undefined ? {} : { cell: exchange.cell }),
      ...(report.at === undefined ? {} : { at: report.at }),
    };
    this.#findings.push({ finding, seq: exchange.seq });
  }

  #blame(rule: Rule, report: Report, exchange: ExchangeIdentity): { party: Party; agent: string } {
    const { caller, callee, kind } = exchange.edge;
    let party: Party;
    if (rule.party === 'sender') {
      const sentByCaller = report.at?.side === 'request';
      party =
        kind === 'webhook'
          ? sentByCaller
            ? 'webhook-sender'
            : 'webhook-receiver'
          : sentByCaller
            ? 'client'
            : 'server';
    } else party = rule.party;
    // A task or context rule may point at a delivery: there the agent is the caller.
    const byCaller =
      party === 'client' || party === 'webhook-sender' || (party === 'server' && kind === 'webhook');
    const agent = byCaller ? caller : callee;
    return { party: this.#options.harness?.has(agent) ? 'harness' : party, agent };
  }

  #tally(rule: Rule): Tally {
    const tally = this.#tallies.get(rule.id);
    if (!tally) throw new Error(`no tally for ${rule.id}`);
    return tally;
  }

  #result(rule: Rule): RuleResult {
    const { exercised, violations, undecidable, worst, error } = this.#tally(rule);
    const status =
      error !== undefined
        ? 'error'
        : (worst ?? (exercised > 0 ? 'pass' : undecidable > 0 ? 'undecidable' : 'not-exercised'));
    return {
      id: rule.id,
      status,
      exercised,
      violations,
      undecidable,
      ...(error === undefined ? {} : { error }),
    };
  }
}

/** The same for the same fault at the same place of an exchange. */
const faultOf = ({ rule, message, at }: Finding, exchange: string): string =>
  [exchange, rule, message, at?.side, at?.event, at?.pointer].join('\u0000');

function spanning(exchange: ExchangeIdentity, version: ProtocolVersion): Placed {
  return { version, exchange, binding: undefined, purpose: 'normal' };
}

const rank: Readonly<Record<FindingOutcome, number>> = { info: 0, warn: 1, fail: 2 };
function worse(a: FindingOutcome | undefined, b: FindingOutcome): FindingOutcome {
  return a === undefined || rank[b] > rank[a] ? b : a;
}

function byEvidence(a: { finding: Finding; seq: number }, b: { finding: Finding; seq: number }): number {
  const place = ({ finding }: { finding: Finding }): string =>
    `${finding.at?.side === 'request' ? 0 : 1}${String(finding.at?.event ?? -1).padStart(8, '0')} ${finding.rule} ${finding.at?.pointer ?? ''} ${finding.message}`;
  if (a.seq !== b.seq) return a.seq - b.seq;
  return place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0;
}

/** The stream of an exchange whose response is one. */
export function streamOf(exchange: DecodedExchange): StreamSubject | undefined {
  const { response, operation, dialect } = exchange;
  if (!response?.events || !dialect) return undefined;
  if (operation !== 'SendStreamingMessage' && operation !== 'SubscribeToTask') return undefined;
  const payloads: Payload[] = exchange.payloads.filter((payload) => payload.side === 'response');
  return { exchange, dialect, operation, events: response.events, payloads, complete: response.complete };
}

/** Judges a whole capture. A pure function of the capture and the rulebook. */
export function verify(source: CaptureSource, book: Rulebook, options: VerifyOptions = {}): Verdict {
  const named = (kind: ParticipantKind): ReadonlySet<string> =>
    new Set(
      source
        .participants()
        .filter((participant) => participant.kind === kind)
        .map(({ name }) => name),
    );
  const verification = new Verification(book, {
    harness: named('harness'),
    gateways: named('gateway'),
    gaps: source.gaps(),
    ...options,
  });
  for (const captured of source.exchanges()) verification.add(captured);
  const { findings, rules } = verification.finish();
  const count = (outcome: FindingOutcome): number =>
    findings.filter((finding) => finding.outcome === outcome).length;
  const having = (status: RuleResult['status']): number =>
    rules.filter((rule) => rule.status === status).length;
  return {
    schema: 'plugfest.verdict/1',
    capture: { root: source.info.root, exchanges: source.info.exchanges, gaps: source.gaps().length },
    rulebook: {
      version: book.version,
      hash: book.hash,
      rules: book.rules.length,
      ...(book.selection === undefined ? {} : { selection: book.selection }),
    },
    summary: {
      fail: count('fail'),
      warn: count('warn'),
      info: count('info'),
      pass: having('pass'),
      notExercised: having('not-exercised'),
      undecidable: having('undecidable'),
      error: having('error'),
      expected: 0,
    },
    findings,
    rules,
    staleExpectations: [],
  };
}
