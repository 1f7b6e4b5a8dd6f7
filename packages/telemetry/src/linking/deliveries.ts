import type { ExchangeSummary } from '@plugfest/model';
import { parseTraceparent } from '@plugfest/model';
import { onlyOf } from './choice.ts';
import type { Cause } from './evidence.ts';
import { causedBy } from './evidence.ts';
import type { Hop } from './hops.ts';
import { PushRegistrations } from './registrations.ts';
import { TaskMakers } from './task-makers.ts';

/** Ties webhook deliveries to the send and to the registration that they answer. */
export class Deliveries {
  readonly #hops: readonly Hop[];
  readonly #registrations = new PushRegistrations();
  readonly #makers = new TaskMakers();

  constructor(hops: readonly Hop[]) {
    this.#hops = hops;
  }

  add(index: number, summary: ExchangeSummary): void {
    this.#registrations.add(index, summary);
    this.#makers.add(index, summary);
  }

  /** A webhook hangs on the send that made its task; the registration is a second cause. */
  causeOf(summary: ExchangeSummary): Cause | undefined {
    const sender = summary.caller;
    const registration = this.#registrations.of(summary);
    const registered = registration.kind === 'one' ? this.#hops[registration.index]?.summary : undefined;
    const cell = summary.cell ?? registered?.cell;
    const named = summary.taskIds.length > 0 ? summary.taskIds : (registered?.taskIds ?? []);
    const tasks = named
      .map((task) => this.#makers.of(sender, task, cell))
      .filter((task) => task !== undefined);
    const maker = onlyOf([tasks.map((task) => task.first)]);
    const parent = maker.kind === 'none' ? registration : maker;
    if (parent.kind !== 'one') return undefined;
    const also: { index: number; reason: string }[] = [];
    if (registration.kind === 'one') also.push({ index: registration.index, reason: 'push_config' });
    const last = tasks[0]?.last;
    if (last !== undefined && last !== parent.index) also.push({ index: last, reason: 'same-task' });
    const context = parseTraceparent(summary.traceparent);
    const agrees = context !== undefined && context.traceId === this.#hops[parent.index]?.given?.traceId;
    return causedBy(agrees ? 'trace-id' : 'protocol-id', parent.index, also);
  }
}
