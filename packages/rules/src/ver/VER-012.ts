import type { TaskHistory, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { grpc, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';

const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
const getOverRest = rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') });
const getOverGrpc = grpc({ method: 'GetTask', request: { id: 'task-1' }, response: v1.task('WORKING') });
const getOld = (from = 'client') =>
  rpc({ version: '0.3', from, method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') });

/** What callers were shown of a task, by caller; deliveries are nobody's call. */
function looksByCaller({ observations }: TaskHistory): ReadonlyMap<string, readonly TaskObservation[]> {
  const byCaller = new Map<string, TaskObservation[]>();
  for (const look of observations) {
    if (look.channel === 'webhook') continue;
    const { caller } = look.exchange.edge;
    const looks = byCaller.get(caller);
    if (looks === undefined) byCaller.set(caller, [look]);
    else looks.push(look);
  }
  return byCaller;
}

const isOlder = ({ version }: TaskObservation): boolean => version !== '1.0';

export default defineRule({
  id: 'VER-012',
  level: 'SHOULD',
  party: 'client',
  summary: 'A client speaks one version in all operations on a task.',
  spec: { '1.0': '3.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { changed: 'The client speaks {after} about task {task}, and spoke {before} before' },
  why: 'States and members that one version has are lost in the other, so the client sees the task change in ways that it did not.',
  fix: 'Choose the version once, by the interface of the card, and keep it as long as the task lives.',
  examples: {
    good: [
      [get, getOverRest],
      [get, get, getOld('colleague')],
    ],
    skip: [[get], [getOld()]],
    bad: [
      { example: [get, getOld()], messages: ['changed'] },
      { example: [getOverRest, getOld()], messages: ['changed'] },
      { example: [getOverGrpc, getOld()], messages: ['changed'] },
    ],
  },
  when: (task) => [...looksByCaller(task).values()].some((looks) => looks.length > 1),
  check: (task, { report }) => {
    for (const looks of looksByCaller(task).values()) {
      const [first] = looks;
      // What tells 0.1 to 0.3 apart is often a guess; 1.0 is told from them by more than one sign.
      const changed = first && looks.find((look) => isOlder(look) !== isOlder(first));
      if (first === undefined || changed === undefined) continue;
      report('changed', {
        exchange: changed.exchange,
        data: { task: task.id, before: first.version, after: changed.version },
        at: { side: 'request' },
        expected: first.version,
        actual: changed.version,
      });
    }
  },
});
