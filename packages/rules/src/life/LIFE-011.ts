import { isTerminal } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { placeOf } from './steps.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const stream = (state: string) =>
  rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('hello') },
    events: [{ task: v1.task('WORKING') }, v1.statusUpdate(state)],
  });

export default defineRule({
  id: 'LIFE-011',
  level: 'MUST',
  party: 'server',
  summary: 'Streams, polls, lists and deliveries agree on how a task ended.',
  spec: { '1.0': '3.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { disagree: 'Task {task} is {found} by {channel}, and was {ended} by {other}' },
  why: 'Clients on different channels reach opposite conclusions about the same work, and one of them is wrong.',
  fix: 'Let one store decide the state of a task, and feed streams, answers and deliveries from it.',
  examples: {
    good: [
      [stream('COMPLETED'), get('COMPLETED')],
      [get('WORKING'), deliver(v1.statusUpdate('COMPLETED')), get('COMPLETED')],
    ],
    skip: [[stream('COMPLETED')], [get('WORKING'), deliver(v1.statusUpdate('WORKING'))]],
    bad: [
      { example: [stream('COMPLETED'), deliver(v1.statusUpdate('FAILED'))], messages: ['disagree'] },
      { example: [stream('COMPLETED'), get('FAILED')], messages: ['disagree'] },
    ],
  },
  when: ({ observations }) => {
    const ends = observations.filter(({ state }) => isTerminal(state));
    return ends.some(({ exchange }) => exchange.id !== ends[0]?.exchange.id);
  },
  check: ({ id, observations }, { report }) => {
    const ends = observations.filter(({ state }) => isTerminal(state));
    const [first] = ends;
    const other = ends.find(
      ({ state, exchange }) => state !== first?.state && exchange.id !== first?.exchange.id,
    );
    if (first === undefined || other === undefined) return;
    report('disagree', {
      ...placeOf(other),
      data: {
        task: id,
        found: other.state,
        channel: other.channel,
        ended: first.state,
        other: first.channel,
      },
      expected: first.state ?? 'a terminal state',
      actual: other.state,
    });
  },
});
