import type { DecodedExchange } from '@plugfest/a2a';
import type { Finding, FindingOutcome, Level, ProtocolVersion, Purpose } from '@plugfest/model';
import { blame } from './blame.ts';
import type { Conversation } from './conversation.ts';
import { Findings, type FoundSoFar } from './findings.ts';
import { boundedLocation, fillIn, shown } from './message-text.ts';
import { PlayedFaults } from './played-faults.ts';
import type { CheckContext, Report, Rule, RuleContext, Scope, Subjects, Topic } from './rule.ts';
import { type CitedRule, RulePlan } from './rule-plan.ts';
import { shownHere } from './shown-here.ts';
import { streamOf } from './stream-of.ts';
import type { ExchangeIdentity, SpokenExchange } from './subjects.ts';
import { addViolation, emptyTally, type Tally } from './tally.ts';
import { type UnreadSides, unreadSides } from './unread.ts';

/** What some rules found, and how often each was applied. Plain data, so that it can cross threads. */
export interface Judgement extends FoundSoFar {
  /** By rule id. */
  readonly tallies: ReadonlyMap<string, Readonly<Tally>>;
}

/** Thrown where a rule asks for the conversation and there is none: see `RuleSplit`. */
export class NoConversation extends Error {}

const outcomeOf: Readonly<Record<Level, FindingOutcome>> = {
  MUST: 'fail',
  SHOULD: 'warn',
  MAY: 'info',
  INFO: 'info',
};

/** A rule that is applied again and again, with what that needs. */
interface ReadyRule {
  readonly rule: Rule;
  /** The rule's own; rules are objects of many shapes, and these are asked for a hundred times for each exchange. */
  readonly when: Rule['when'];
  readonly check: Rule['check'];
  readonly tally: Tally;
  readonly isForClients: boolean;
  /** What the rule is applied to at the moment. */
  placed: Placed | undefined;
  /** A finding about it was left out, since a fault that was played may be the reason. */
  excused: boolean;
  /** For `check`. One for all subjects, as rules are applied a hundred times for each exchange. */
  readonly context: CheckContext<string>;
}

interface Placed {
  readonly version: ProtocolVersion;
  readonly exchange: ExchangeIdentity;
  readonly purpose: Purpose;
  /** What of the exchange could not be read; undefined where all could, and where the subject is no exchange. */
  readonly unread: UnreadSides | undefined;
}

/** Applies rules to subjects, and keeps what comes of it. */
export class Judge {
  readonly #harness: ReadonlySet<string> | undefined;
  readonly #tallies = new Map<string, Tally>();
  readonly #findings = new Findings();
  readonly #context: RuleContext;
  readonly #conversation: Conversation | undefined;
  readonly #plan: RulePlan<ReadyRule>;
  readonly #faults = new PlayedFaults();

  /** `conversation`: undefined where only rules are applied that do without. */
  constructor(
    rules: readonly Rule[],
    conversation: Conversation | undefined,
    harness: ReadonlySet<string> | undefined,
  ) {
    this.#harness = harness;
    this.#conversation = conversation;
    this.#context = contextOf(conversation, {});
    for (const rule of rules) this.#tallies.set(rule.id, emptyTally());
    this.#plan = new RulePlan(rules, (cited) => this.#ready(cited));
  }

  /** Judges an exchange by itself and by all that came before it. */
  exchange(exchange: DecodedExchange): void {
    this.#faults.begin(exchange);
    this.#exchange(exchange);
    this.#faults.end(exchange);
  }

  #exchange(exchange: DecodedExchange): void {
    const { kind, captured } = exchange;
    if (!isSpoken(exchange) || kind === 'other') return;
    const { version, binding } = exchange.dialect;
    const { purpose } = captured;
    const placed: Placed = { version, exchange: captured, purpose, unread: unreadSides(exchange) };
    const plan = this.#plan.of({
      version,
      // Cards and deliveries are plain HTTP, whatever the binding of the agent's operations.
      binding: kind === 'operation' ? binding : undefined,
      topic: topicOf(exchange),
      shown: shownHere(exchange),
    });
    if (kind === 'operation') this.#judge(plan.for('exchange'), exchange, placed);
    this.#judge(plan.for('hop'), exchange, placed);
    const stream = streamOf(exchange);
    if (stream !== undefined) this.#judge(plan.for('stream'), stream, placed);
    for (const payload of exchange.payloads) {
      if (payload.kind !== 'card') continue;
      const { card } = payload;
      const subject = { exchange, card, extended: kind === 'operation' };
      this.#judgeOne('card', subject, { ...placed, version: card.version });
    }
  }

  /** Judges what needs the whole capture. */
  whole(conversation: Conversation): void {
    for (const task of conversation.tasks()) {
      const first = task.observations[0];
      if (first) this.#judgeOne('task', task, spanning(first.exchange, task.version));
    }
    for (const context of conversation.contexts()) {
      const first = context.firstFromServer ?? context.firstFromClient;
      if (first) this.#judgeOne('context', context, spanning(first.exchange, context.version));
    }
    for (const webhook of conversation.webhooks()) {
      const { exchange, version } = webhook.delivery;
      this.#judgeOne('webhook', webhook, spanning(exchange, webhook.config?.version ?? version));
    }
    for (const discovery of conversation.discoveries()) {
      const version = conversation.cards(discovery.agent).at(-1)?.card.version;
      if (version !== undefined)
        this.#judgeOne('discovery', discovery, spanning(discovery.exchange, version));
    }
    for (const sighting of conversation.shownCards())
      this.#judgeOne('shown-card', sighting, spanning(sighting.exchange, sighting.card.version));
  }

  /** How many findings there are so far. */
  get found(): number {
    return this.#findings.count;
  }

  /** What came of it so far. */
  judgement(): Judgement {
    return { tallies: this.#tallies, ...this.#findings.get() };
  }

  /** A subject that has no binding and no topic. */
  #judgeOne<S extends Scope>(scope: S, subject: Subjects[S], placed: Placed): void {
    const { version } = placed;
    const plan = this.#plan.of({ version, binding: undefined, topic: undefined, shown: 'both' });
    this.#judge(plan.for(scope), subject, placed);
  }

  #judge(rules: readonly ReadyRule[], subject: Subjects[Scope], placed: Placed): void {
    for (const ready of rules) {
      if (placed.purpose === 'probe' && ready.isForClients) continue;
      this.#apply(ready, subject, placed);
    }
  }

  #ready({ rule, section }: CitedRule): ReadyRule {
    const tally = this.#tallies.get(rule.id);
    if (tally === undefined) throw new Error(`no tally for ${rule.id}`);
    const report: CheckContext<string>['report'] = (message, details = {}) => {
      const { placed } = ready;
      if (placed === undefined) throw new Error(`rule ${rule.id} reports outside of its check`);
      this.#report(ready, message, details, placed, section);
    };
    const ready: ReadyRule = {
      rule,
      when: rule.when,
      check: rule.check,
      tally,
      isForClients: rule.party === 'client',
      placed: undefined,
      excused: false,
      context: contextOf(this.#conversation, { report }),
    };
    return ready;
  }

  #apply(ready: ReadyRule, subject: Subjects[Scope], placed: Placed): void {
    const { tally } = ready;
    try {
      const applies = ready.when(subject, this.#context);
      if (applies === 'undecidable') tally.undecidable += 1;
      if (applies !== true) return;
      const before = tally.violations;
      ready.placed = placed;
      ready.excused = false;
      ready.check(subject, ready.context);
      // What was read is right. What was not may be wrong, so that this is no pass; clients are judged by what they sent.
      const mayHideFaults =
        placed.unread?.request === true || (placed.unread?.response === true && !ready.isForClients);
      if ((mayHideFaults || ready.excused) && tally.violations === before) tally.undecidable += 1;
      else tally.exercised += 1;
    } catch (problem) {
      if (problem instanceof NoConversation) throw problem;
      // A rule that throws is our fault; it must show as `error`, never as a pass, and must not stop the others.
      tally.error ??= problem instanceof Error ? problem.message : String(problem);
    }
    ready.placed = undefined;
  }

  #report(ready: ReadyRule, message: string, report: Report, placed: Placed, section: string): void {
    const { rule, tally } = ready;
    const template = rule.messages[message];
    if (template === undefined) throw new Error(`rule ${rule.id} reports the unknown message ${message}`);
    const exchange = report.exchange ?? placed.exchange;
    const { party, agent } = blame(rule.party, report.at, exchange);
    // A probe sends what is wrong on purpose: only the answer to it is judged.
    if (exchange.purpose === 'probe' && agent === exchange.edge.caller) return;
    if (this.#faults.excuse(agent, exchange, report.at)) {
      ready.excused = true;
      return;
    }
    const outcome = report.outcome ?? outcomeOf[rule.level];
    addViolation(tally, outcome);
    const finding: Finding = {
      rule: rule.id,
      level: rule.level,
      outcome,
      party: this.#harness?.has(agent) === true ? 'harness' : party,
      agent,
      message: fillIn(template, report.data),
      ...(report.expected === undefined ? {} : { expected: shown(report.expected) }),
      ...(report.actual === undefined ? {} : { actual: shown(report.actual) }),
      fix: rule.fix,
      spec: { version: placed.version, section },
      exchange: exchange.id,
      ...(exchange.cell === undefined ? {} : { cell: exchange.cell }),
      ...(report.at === undefined ? {} : { at: boundedLocation(report.at) }),
    };
    this.#findings.add(finding, exchange.seq);
  }
}

export const topicOf = ({ kind, operation }: DecodedExchange): Topic | undefined =>
  kind === 'operation' ? operation : kind === 'other' ? undefined : kind;

const isSpoken = (exchange: DecodedExchange): exchange is SpokenExchange => exchange.dialect !== undefined;

/** What a rule sees, with more members. Without a conversation, asking for it is a mistake of whoever chose the rule. */
function contextOf<More extends object>(
  conversation: Conversation | undefined,
  more: More,
): More & RuleContext {
  if (conversation !== undefined) return { ...more, conversation };
  return {
    ...more,
    get conversation(): Conversation {
      throw new NoConversation('a rule asks for the conversation');
    },
  };
}

/** Of subjects that span several exchanges and bindings. */
function spanning(exchange: ExchangeIdentity, version: ProtocolVersion): Placed {
  return { version, exchange, purpose: 'normal', unread: undefined };
}
