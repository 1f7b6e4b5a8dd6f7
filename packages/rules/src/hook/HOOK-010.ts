import { isTerminal } from '@plugfest/a2a';
import type { TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1 } from '@plugfest/verifier/examples';
import { compareInstants, isInstant } from '../instant.ts';
import { placeOf } from '../life/steps.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const working = deliver(v1.statusUpdate('WORKING'));
const completed = deliver(v1.statusUpdate('COMPLETED'));

const at = (second: string | undefined, state = 'WORKING') =>
  deliver(
    v1.statusUpdate(state, {
      status: v1.status(state, { timestamp: second && `2026-01-01T00:00:${second}.000Z` }),
    }),
  );

export default defineRule({
  id: 'HOOK-010',
  level: 'MUST',
  party: 'webhook-sender',
  summary: 'Deliveries tell the states that the task went through, in their order.',
  spec: { '1.0': '3.5.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    state: 'The delivery says that task {task} is {found}, elsewhere it is {state}',
    order: 'The delivery of {found} comes after one of the later state {latest}',
  },
  why: 'The receiver keeps the state that it heard last, or first, and is wrong for good. Order is laid down for streams; for deliveries, which may be retried, a wrong order is a warning.',
  fix: 'Queue the notifications for each webhook and send the next one when the last was answered.',
  examples: {
    good: [
      [get('WORKING'), working, completed, get('COMPLETED')],
      // A retry may come late.
      [working, completed, working],
      [at('01'), at('02')],
      // Each webhook has a queue of its own.
      [completed, deliver(v1.statusUpdate('WORKING'), { url: 'https://other.example/push' })],
    ],
    skip: [[get('WORKING'), get('COMPLETED')], [completed]],
    bad: [
      { example: [get('COMPLETED'), deliver(v1.statusUpdate('FAILED'))], messages: ['state'] },
      { example: [completed, working], messages: ['order'] },
      { example: [at('03'), at('02')], messages: ['order'] },
      // Without times nothing but the end comes after an end.
      { example: [at('09', 'COMPLETED'), at('09')], messages: ['order'] },
      { example: [at(undefined, 'COMPLETED'), at('09')], messages: ['order'] },
      { example: [at('09', 'COMPLETED'), at(undefined)], messages: ['order'] },
    ],
  },
  when: ({ observations }) => {
    const states = observations.filter(({ state }) => state !== undefined);
    return states.length > 1 && states.some(({ channel }) => channel === 'webhook');
  },
  check: ({ id, observations }, { report }) => {
    const told = observations.find(({ channel, state }) => channel !== 'webhook' && isTerminal(state));
    /** For each webhook the newest status that was delivered, and every status that was. */
    const queues = new Map<string, { newest: TaskObservation; readonly seen: Set<string> }>();
    for (const look of observations) {
      if (look.channel !== 'webhook' || look.state === undefined) continue;
      if (told !== undefined && isTerminal(look.state) && look.state !== told.state)
        report('state', {
          ...placeOf(look),
          data: { task: id, found: look.state, state: told.state },
          expected: told.state ?? 'the state of the task',
          actual: look.state,
        });
      const url = look.webhook ?? '';
      const key = `${look.state} ${look.timestamp ?? ''}`;
      const queue = queues.get(url);
      if (queue === undefined) {
        queues.set(url, { newest: look, seen: new Set([key]) });
        continue;
      }
      const isRetry = queue.seen.has(key);
      queue.seen.add(key);
      if (!isOlder(look, queue.newest)) queue.newest = look;
      else if (!isRetry)
        report('order', {
          ...placeOf(look),
          outcome: 'warn',
          data: { found: look.state, latest: queue.newest.state },
          expected: 'deliveries in the order of the updates',
          actual: look.state,
        });
    }
  },
});

/** Older by its timestamp, or else because nothing but the end comes after an end. */
function isOlder(look: TaskObservation, newest: TaskObservation): boolean {
  const [a, b] = [look.timestamp, newest.timestamp];
  if (isInstant(a) && isInstant(b)) {
    const difference = compareInstants(a, b) ?? 0;
    if (difference !== 0) return difference < 0;
  }
  return isTerminal(newest.state) && !isTerminal(look.state);
}
