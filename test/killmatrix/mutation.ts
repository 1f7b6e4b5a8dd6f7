import type { Binding, Party, ProtocolVersion } from '@plugfest/model';
import type { Session } from './session.ts';

/** One requirement broken in an otherwise clean session. */
export interface Mutation {
  /** The one rule that has to notice. */
  readonly rule: string;
  /** Who is to be blamed. */
  readonly party: Party;
  /** What is done, in a few words. */
  readonly what: string;
  /** The versions and bindings where it is meant to be done; those of the rule where it is not given. */
  readonly versions?: readonly ProtocolVersion[];
  readonly bindings?: readonly Binding[];
  /** Other rules that notice the same breach, because the specification states the duty twice. */
  readonly also?: Readonly<Record<string, string>>;
  /**
   * `meaning`: the session is changed in JSON-RPC of 1.0 and then translated, so that every dialect says the same.
   * `wire`: the translated session is changed.
   */
  readonly level?: 'meaning' | 'wire';
  mutate(session: Session): void;
}

type More = Omit<Mutation, 'rule' | 'party' | 'what' | 'mutate'>;
type By = (rule: string, what: string, mutate: Mutation['mutate'], more?: More) => Mutation;

const by =
  (party: Party): By =>
  (rule, what, mutate, more = {}) => ({ rule, party, what, mutate, ...more });

/** Mutations by who breaks the requirement. */
export const client = by('client');
export const server = by('server');
export const webhookSender = by('webhook-sender');
export const webhookReceiver = by('webhook-receiver');
export const gateway = by('gateway');
