import { type DecodedExchange, decodeExchange, type Jwk } from '@plugfest/a2a';
import type {
  CapturedExchange,
  ExchangeId,
  Finding,
  Gap,
  OmittedFindings,
  RuleResult,
} from '@plugfest/model';
import { Peers } from './conversation/peers.ts';
import { Conversation } from './conversation.ts';
import { byEvidence, byGroup } from './findings.ts';
import { withGateways, withNamedGateway } from './gateway-blame.ts';
import { Judge, type Judgement } from './judge.ts';
import type { Rulebook } from './registry.ts';
import type { Rule } from './rule.ts';
import { emptyTally, resultOf } from './tally.ts';

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
  /** `false`: what is kept of the traffic is not packed, which takes more memory and less time. */
  readonly packs?: boolean;
}

/** What came of a rulebook. */
export interface Results {
  /** How many exchanges were judged. */
  readonly exchanges: number;
  /** In the order of their evidence. */
  readonly findings: readonly Finding[];
  /** Counts of further findings of the same sort as some of the above. */
  readonly omitted: readonly OmittedFindings[];
  /** In the order of their ids. */
  readonly rules: readonly RuleResult[];
}

/** Applies a rulebook to the exchanges of one capture, in order of observation. */
export class Verification {
  readonly #rulebook: Rulebook;
  readonly #options: VerifyOptions;
  readonly #conversation: Conversation;
  readonly #judge: Judge;
  #exchanges = 0;
  #isWhole = false;

  /** `rules`: those that are applied here, where others of the rulebook are applied elsewhere. */
  constructor(book: Rulebook, options: VerifyOptions = {}, rules: readonly Rule[] = book.rules) {
    this.#rulebook = book;
    this.#options = options;
    this.#conversation = new Conversation(options.gaps, options.keys, options.packs);
    this.#judge = new Judge(rules, this.#conversation, options.harness);
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  /** Judges the next exchange by itself and adds it to the conversation. */
  add(captured: CapturedExchange): void {
    const exchange = decodeExchange(captured, { peer: this.#conversation.peer(serving(captured)) });
    this.#options.onExchange?.(exchange);
    this.#judge.exchange(exchange);
    this.#conversation.add(exchange);
    this.#exchanges += 1;
  }

  /** How many exchanges were added. */
  get exchanges(): number {
    return this.#exchanges;
  }

  /** How many findings there are so far. */
  get found(): number {
    return this.#judge.found;
  }

  /** What the exchanges so far have shown. Rules that judge a whole capture have not been applied. */
  snapshot(): Results {
    return this.#results([this.#judge.judgement()]);
  }

  /** Judges what needs the whole capture. To be called after the last exchange, or left to `finish`. */
  judgeWhole(): void {
    if (this.#isWhole) return;
    this.#isWhole = true;
    this.#judge.whole(this.#conversation);
  }

  /**
   * Judges what needs the whole capture and gives the results, together with what came of the rules that were applied
   * elsewhere. To be called once.
   */
  finish(elsewhere: readonly Judgement[] = []): Results {
    this.judgeWhole();
    return this.#results([this.#judge.judgement(), ...elsewhere]);
  }

  #results(judgements: readonly Judgement[]): Results {
    const tallyOf = (id: string) =>
      judgements.find(({ tallies }) => tallies.has(id))?.tallies.get(id) ?? emptyTally();
    const gateways = {
      named: this.#options.gateways,
      relayOf: (exchange: ExchangeId) => this.#conversation.relayOf(exchange),
    };
    const found = judgements
      .flatMap(({ kept }) => kept)
      .sort(byEvidence)
      .map(({ finding }) => finding);
    return {
      exchanges: this.#exchanges,
      findings: withGateways(found, gateways),
      omitted: judgements
        .flatMap(({ omitted }) => omitted)
        .map((group) => withNamedGateway(group, gateways))
        .sort(byGroup),
      rules: this.#rulebook.rules.map(({ id }) => resultOf(id, tallyOf(id))),
    };
  }
}

/** Applies rules that look at nothing but their subject. It remembers no traffic, so it may run anywhere. */
export class LoneVerification {
  readonly #peers = new Peers();
  readonly #judge: Judge;

  constructor(rules: readonly Rule[], options: Pick<VerifyOptions, 'harness'> = {}) {
    this.#judge = new Judge(rules, undefined, options.harness);
  }

  /** Judges the next exchange. Throws `NoConversation` where a rule looks beyond its subject. */
  add(captured: CapturedExchange): void {
    const exchange = decodeExchange(captured, { peer: this.#peers.of(serving(captured)) });
    this.#judge.exchange(exchange);
    this.#peers.add(exchange);
  }

  judgement(): Judgement {
    return this.#judge.judgement();
  }
}

/** The agent whose dialect an exchange is in. */
const serving = ({ edge }: CapturedExchange): string => (edge.kind === 'webhook' ? edge.caller : edge.callee);
