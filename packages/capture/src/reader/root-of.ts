import type { CapturedExchange, CaptureSource } from '@plugfest/model';
import { RootHash } from './root.ts';

type Facts = Pick<CaptureSource, 'participants' | 'edges' | 'gaps' | 'notes'>;

export interface RootInputs extends Facts {
  readonly run: string;
  readonly startedAt: string;
  exchanges(): Iterable<CapturedExchange>;
}

/**
 * Keeps the root of a source that does not change. A pass over all exchanges yields it by the way, so that whoever
 * reads the capture anyway does not pay for a second pass.
 */
export class RootKeeper {
  readonly #inputs: RootInputs;
  #root: string | undefined;

  constructor(inputs: RootInputs) {
    this.#inputs = inputs;
  }

  get root(): string {
    if (this.#root === undefined) for (const _ of this.watch()) void _;
    return this.#root ?? '';
  }

  /** All exchanges; once the last was read, the root is known. */
  *watch(): Generator<CapturedExchange> {
    if (this.#root !== undefined) {
      yield* this.#inputs.exchanges();
      return;
    }
    const { run, startedAt } = this.#inputs;
    const hash = new RootHash();
    hash.add('run', [run, startedAt]);
    for (const { name, kind, about } of this.#inputs.participants())
      hash.add('participant', [name, kind, about ?? null]);
    for (const { id, caller, callee, kind, mode, upstream } of this.#inputs.edges())
      hash.add('edge', [id, caller, callee, kind, mode, upstream ?? null]);
    for (const exchange of this.#inputs.exchanges()) {
      hash.exchange(exchange);
      yield exchange;
    }
    for (const { atNs, reason, exchange, lostBytes, detail } of this.#inputs.gaps())
      hash.add('gap', [atNs, reason, exchange ?? null, lostBytes ?? null, detail ?? null]);
    for (const { seq, atNs, topic, text, exchange, cell } of this.#inputs.notes())
      hash.add('note', [seq, atNs, topic, text, exchange ?? null, cell ?? null]);
    this.#root = hash.finish();
  }
}
