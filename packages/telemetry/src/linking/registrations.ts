import type { ExchangeSummary } from '@plugfest/model';
import { webhookKey } from '@plugfest/model';
import type { Choice } from './choice.ts';
import { none, onlyOf } from './choice.ts';
import { isSend } from './sends.ts';

const marksOf = (summary: ExchangeSummary): readonly string[] => [
  ...summary.pushTokens.map((token) => `token:${token}`),
  ...summary.pushUrls.map((url) => `url:${webhookKey(url)}`),
];

/** Who asked whom to call back where, and for which task. */
export class PushRegistrations {
  readonly #byMark = new Map<string, number[]>();

  add(index: number, summary: ExchangeSummary): void {
    if (!isSend(summary) && summary.operation !== 'CreateTaskPushNotificationConfig') return;
    for (const mark of marksOf(summary)) {
      for (const task of ['', ...summary.taskIds]) {
        const key = keyOf(summary.callee, mark, task);
        const list = this.#byMark.get(key);
        if (list === undefined) this.#byMark.set(key, [index]);
        else list.push(index);
      }
    }
  }

  /** The registration that a delivery answers: the last for its task, or the only one for its token or URL. */
  of(delivery: ExchangeSummary): Choice {
    const marks = marksOf(delivery);
    for (const task of delivery.taskIds) {
      for (const mark of marks) {
        const index = this.#byMark.get(keyOf(delivery.caller, mark, task))?.at(-1);
        if (index !== undefined) return { kind: 'one', index };
      }
    }
    for (const mark of marks) {
      const choice = onlyOf([this.#byMark.get(keyOf(delivery.caller, mark, '')) ?? []]);
      if (choice.kind !== 'none') return choice;
    }
    return none;
  }
}

const keyOf = (agent: string, mark: string, task: string): string => `${agent}\u0000${mark}\u0000${task}`;
