import type {
  Binding,
  FindingLocation,
  FindingOutcome,
  Json,
  Level,
  Operation,
  ProtocolVersion,
} from '@plugfest/model';
import type { Conversation } from './conversation.ts';
import type { Example } from './examples/example.ts';
import type {
  CardSighting,
  CardSubject,
  ContextHistory,
  Discovery,
  ExchangeIdentity,
  SpokenExchange,
  StreamSubject,
  TaskHistory,
  WebhookSubject,
} from './subjects.ts';

/** What a rule is applied to. */
export interface Subjects {
  /** One operation call (JSON-RPC or HTTP+JSON), request and response. */
  readonly exchange: SpokenExchange;
  /** Anything that means something in A2A: an operation call, a fetch of a card's URL, or a push delivery. */
  readonly hop: SpokenExchange;
  /** A response that is a stream. */
  readonly stream: StreamSubject;
  /** Everything seen of one task of one agent, over all channels. Judged after the last exchange. */
  readonly task: TaskHistory;
  /** Everything seen of one context of one agent. Judged after the last exchange. */
  readonly context: ContextHistory;
  /** One fetch of an agent card. */
  readonly card: CardSubject;
  /** One push delivery. Judged after the last exchange, so that its config and task are known. */
  readonly webhook: WebhookSubject;
  /** All that one caller did to find the card of one agent. Judged after the last exchange. */
  readonly discovery: Discovery;
  /** A card that an agent showed to a caller at a place, however often. Judged after the last exchange. */
  readonly 'shown-card': CardSighting;
}

/** What a rule looks at, one at a time; each has its own `when` and `check`. */
export type Scope = keyof Subjects;

/** What an exchange is about: its operation, or that it is a fetch of a card's URL or a push delivery. */
export type Topic = Operation | 'card' | 'webhook';

/**
 * What an exchange may show: that it failed, which is an error in its answer or in an event of it, or an HTTP status
 * from 400 on; or a push config on either side.
 */
export type Showing = 'failure' | 'push-config';

/** Who must comply. `gateway` answers the exchange that a report points at; `sender` is whoever sent the side that a report points at. */
export type RuleParty = 'client' | 'server' | 'webhook-sender' | 'webhook-receiver' | 'gateway' | 'sender';

/** What a rule sees beside its subject. */
export interface RuleContext {
  /** All that came before this subject, and for `task`, `context`, `webhook`, `discovery` and `shown-card` everything. */
  readonly conversation: Conversation;
}

/** What a rule says of one breach beside its message. */
export interface Report {
  readonly at?: FindingLocation;
  /** The exchange that shows the fault; needed where the subject spans several. */
  readonly exchange?: ExchangeIdentity;
  /** Values for the `{name}` places of the message. */
  readonly data?: Readonly<Record<string, Json | undefined>>;
  readonly expected?: string;
  readonly actual?: Json | undefined;
  /** A weaker outcome than the level's, where the spec contradicts itself. Say why in the rule's `why`. */
  readonly outcome?: FindingOutcome;
}

/** What a `check` has at hand. */
export interface CheckContext<Message extends string> extends RuleContext {
  report(message: Message, report?: Report): void;
}

/** Traffic that breaks the rule, and what the rule has to say of it: this and nothing else. */
export interface BadExample<Message extends string> {
  readonly example: Example;
  /** The messages that this rule gives on it, each once, in order. */
  readonly messages: readonly Message[];
  /** The outcomes that go with them, where they are not what the level says. */
  readonly outcomes?: readonly FindingOutcome[];
}

/** Versions and bindings that a message can come in; all of the rule's, where one is not given. */
export interface MessageDialects {
  readonly versions?: readonly ProtocolVersion[];
  readonly bindings?: readonly Binding[];
}

/** All of a rule: its documentation, its examples, which are its tests, and what it does. */
export interface RuleDefinition<S extends Scope = Scope, Message extends string = string> {
  /** Id of `AREA-NNN`, that of the rule catalogue. */
  readonly id: string;
  readonly level: Level;
  readonly party: RuleParty;
  /** One sentence, in our words: what holds on the wire. */
  readonly summary: string;
  /** Section of the specification for each version that the rule applies to. */
  readonly spec: Readonly<Partial<Record<ProtocolVersion, string>>>;
  /** Bindings that the rule applies to. Asked only for operation calls and their streams. */
  readonly bindings: readonly Binding[];
  /** Versions in which it applies to some of these only. */
  readonly fewerBindings?: Readonly<Partial<Record<ProtocolVersion, readonly Binding[]>>>;
  readonly scope: S;
  /**
   * What a subject has to be about for the rule to have something to say; anything where it is not given. Of a rule per
   * `exchange`, `hop` or `stream`: `when` is not asked of others, which spares most of the calls.
   */
  readonly about?: readonly Topic[];
  /** What it has to show for the same; anything where it is not given. */
  readonly shown?: Showing;
  /** Texts of the findings, by key, with `{name}` places. */
  readonly messages: Readonly<Record<Message, string>>;
  /**
   * Dialects that a message is particular to, where it can come in some of the rule's only. Every other message has to
   * be shown by an example in each dialect; see `test/contract`.
   */
  readonly where?: Readonly<Partial<Record<NoInfer<Message>, MessageDialects>>>;
  /** What goes wrong in practice when this is broken. */
  readonly why: string;
  /** What the obligated party has to do. */
  readonly fix: string;
  readonly examples: {
    /** Exercised, and clean. */
    readonly good: readonly Example[];
    /** Not exercised. */
    readonly skip: readonly Example[];
    readonly bad: readonly BadExample<NoInfer<Message>>[];
  };
  /** Does the rule apply to this subject? `undecidable`: it would, but the evidence is cut off. */
  when(subject: Subjects[S], context: RuleContext): boolean | 'undecidable';
  /** Reports each breach. Called only where `when` said true. */
  check(subject: Subjects[S], context: CheckContext<Message>): void;
}

/** A rule of any scope, as the runner holds it. */
export interface Rule {
  readonly id: string;
  readonly level: Level;
  readonly party: RuleParty;
  readonly summary: string;
  readonly spec: Readonly<Partial<Record<ProtocolVersion, string>>>;
  readonly bindings: readonly Binding[];
  readonly fewerBindings?: Readonly<Partial<Record<ProtocolVersion, readonly Binding[]>>>;
  readonly scope: Scope;
  readonly about?: readonly Topic[];
  readonly shown?: Showing;
  readonly messages: Readonly<Record<string, string>>;
  readonly where?: Readonly<Partial<Record<string, MessageDialects>>>;
  readonly why: string;
  readonly fix: string;
  readonly examples: {
    readonly good: readonly Example[];
    readonly skip: readonly Example[];
    readonly bad: readonly BadExample<string>[];
  };
  /** `when` and `check` over a subject of the rule's own scope. */
  when(subject: Subjects[Scope], context: RuleContext): boolean | 'undecidable';
  check(subject: Subjects[Scope], context: CheckContext<string>): void;
}

/** Declares a rule. The compiler ties message keys, scope and subject together. */
export function defineRule<S extends Scope, const Message extends string>(
  definition: RuleDefinition<S, Message>,
): Rule {
  // The runner calls a rule only with subjects of its own scope, which is what the wider type cannot say.
  return definition as unknown as Rule;
}

/** The bindings that a rule applies to in a version; none where it has nothing to say of the version. */
export function bindingsIn(
  { spec, bindings, fewerBindings }: Pick<Rule, 'spec' | 'bindings' | 'fewerBindings'>,
  version: ProtocolVersion,
): readonly Binding[] {
  return spec[version] === undefined ? [] : (fewerBindings?.[version] ?? bindings);
}
