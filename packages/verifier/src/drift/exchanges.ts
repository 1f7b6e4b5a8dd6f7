import type { DecodedExchange } from '@plugfest/a2a';
import { summarise } from '@plugfest/a2a';
import type { ExchangeId, ExchangeSummary } from '@plugfest/model';

/** What two runs of one thing have in common: no ids, no times, no sizes. */
export interface Trait {
  readonly request: string;
  readonly answer: string;
  readonly end: string;
}

export interface Step extends Trait {
  readonly exchange: ExchangeId;
  readonly seq: number;
}

/** Where two captures part: an exchange of one conversation that the other capture does not have like this. */
export interface Divergence {
  /** Id of the cell; absent for captures that no lab made. */
  readonly cell?: string;
  readonly caller: string;
  readonly callee: string;
  /** Undefined where that capture has no exchange there that the other one lacks. */
  readonly before: Step | undefined;
  readonly after: Step | undefined;
}

interface Conversation {
  readonly cell: string | undefined;
  readonly caller: string;
  readonly callee: string;
  /** By trait, the first exchange that has it. How often, and in which order beside others, is chance. */
  readonly steps: Map<string, Step>;
}

/** The conversations of a capture, each pair in each cell by itself, as cells run side by side. */
export class Outline {
  readonly #conversations = new Map<string, Conversation>();

  add(exchange: DecodedExchange): void {
    const summary = summarise(exchange);
    const { cell, caller, callee } = summary;
    const key = JSON.stringify([cell, caller, callee]);
    let conversation = this.#conversations.get(key);
    if (conversation === undefined) {
      conversation = { cell, caller, callee, steps: new Map() };
      this.#conversations.set(key, conversation);
    }
    const trait = traitOf(summary);
    const traitKey = JSON.stringify(trait);
    if (!conversation.steps.has(traitKey))
      conversation.steps.set(traitKey, { ...trait, exchange: summary.id, seq: summary.seq });
  }

  /** The first exchange, in the order of this capture, that the other one does not have; or else the other way round. */
  divergenceFrom(other: Outline): Divergence | undefined {
    const keys = new Set([...this.#conversations.keys(), ...other.#conversations.keys()]);
    const found = [...keys].flatMap((key) => {
      const divergence = divergenceOf(this.#conversations.get(key), other.#conversations.get(key));
      return divergence === undefined ? [] : [divergence];
    });
    const seqOf = ({ before, after }: Divergence): number => before?.seq ?? after?.seq ?? 0;
    const lacking = found.filter(({ before }) => before !== undefined);
    return (lacking.length > 0 ? lacking : found).sort((a, b) => seqOf(a) - seqOf(b))[0];
  }
}

function divergenceOf(a: Conversation | undefined, b: Conversation | undefined): Divergence | undefined {
  const conversation = a ?? b;
  if (conversation === undefined) return undefined;
  const onlyIn = (one: Conversation | undefined, other: Conversation | undefined): readonly Step[] =>
    [...(one?.steps ?? [])].flatMap(([key, step]) => (other?.steps.has(key) ? [] : [step]));
  const lost = onlyIn(a, b);
  const gained = onlyIn(b, a);
  const before = lost[0];
  const after = gained.find(({ request }) => request === before?.request) ?? gained[0];
  if (before === undefined && after === undefined) return undefined;
  const { cell, caller, callee } = conversation;
  return { ...(cell === undefined ? {} : { cell }), caller, callee, before, after };
}

function traitOf(summary: ExchangeSummary): Trait {
  const { kind, method, target, wireMethod, binding, version, status, errorCode, events, state, end } =
    summary;
  const dialect = binding === undefined ? '' : ` (${binding} ${version})`;
  const path = target.split(/[?#]/, 1)[0] ?? target;
  const request =
    kind === 'webhook' ? `delivery${dialect}` : `${wireMethod ?? `${method} ${path}`}${dialect}`;
  const seen = events.map((event) =>
    event.state === undefined ? event.kind : `${event.kind} ${event.state}`,
  );
  const parts = [
    status === undefined ? 'no answer' : String(status),
    ...(errorCode === undefined ? [] : [`error ${errorCode}`]),
    ...(state === undefined || seen.length > 0 ? [] : [state]),
    ...(seen.length === 0 ? [] : [withoutRepeats(seen).join(', ')]),
  ];
  return { request, answer: parts.join(', '), end };
}

/** How many pieces an agent cuts its work into is chance too. */
function withoutRepeats(texts: readonly string[]): readonly string[] {
  return texts.filter((text, index) => text !== texts[index - 1]);
}
