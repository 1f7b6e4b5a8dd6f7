import type { Conversation, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rpc, rpcStream, unanswered, v1 } from '@plugfest/verifier/examples';
import { mayResume } from './resumed.ts';
import { placeOf, stepsOf } from './steps.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const answer = { message: v1.message('blue', { taskId: 'task-1', contextId: 'ctx-1' }) };
const reply = (state: string) =>
  rpc({ method: 'SendMessage', params: answer, result: { task: v1.task(state) } });
const workingAgain = v1.status('WORKING', { timestamp: '2026-01-01T00:00:04.000Z' });

export default defineRule({
  id: 'LIFE-005',
  level: 'SHOULD',
  party: 'server',
  summary: 'A task that waits for input goes on only after a message of the client.',
  spec: { '1.0': '3.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { alone: 'Task {task} waited for input and is working again, without a message to it' },
  why: 'The client has put the question to its user; an agent that goes on without the answer acts on a guess.',
  fix: 'Stay in TASK_STATE_INPUT_REQUIRED until the answer comes; use TASK_STATE_WORKING while the agent can go on alone.',
  examples: {
    good: [
      [
        get('INPUT_REQUIRED'),
        rpcStream({
          method: 'SendStreamingMessage',
          params: answer,
          events: [{ task: v1.task('WORKING', { status: workingAgain }) }, v1.statusUpdate('COMPLETED')],
        }),
      ],
      [get('INPUT_REQUIRED'), get('INPUT_REQUIRED'), get('CANCELED')],
      // The message may have come to the agent after it showed the task waiting.
      [
        unanswered(rpc({ method: 'SendMessage', params: answer })),
        get('INPUT_REQUIRED'),
        rpc({
          method: 'GetTask',
          params: { id: 'task-1' },
          result: v1.task('WORKING', { status: workingAgain }),
        }),
      ],
    ],
    skip: [[get('WORKING'), get('COMPLETED')], [get('INPUT_REQUIRED')]],
    bad: [
      { example: [get('INPUT_REQUIRED'), get('WORKING')], messages: ['alone'] },
      // The answer comes later, or belongs to the question before.
      { example: [get('INPUT_REQUIRED'), get('WORKING'), reply('WORKING')], messages: ['alone'] },
      { example: [reply('INPUT_REQUIRED'), get('WORKING')], messages: ['alone'] },
      { example: [reply('WORKING'), get('INPUT_REQUIRED'), get('WORKING')], messages: ['alone'] },
      {
        example: [
          get('INPUT_REQUIRED'),
          reply('WORKING'),
          get('WORKING'),
          get('INPUT_REQUIRED'),
          get('WORKING'),
        ],
        messages: ['alone'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [
              { task: v1.task('WORKING') },
              v1.statusUpdate('INPUT_REQUIRED'),
              v1.statusUpdate('WORKING', { status: workingAgain }),
              v1.statusUpdate('COMPLETED'),
            ],
          }),
        ],
        messages: ['alone'],
      },
    ],
  },
  when: ({ observations }, { conversation }) => {
    const left = [...stepsOf(observations)].filter(({ before }) => waits(before));
    if (left.length === 0) return false;
    return left.some((step) => !isCut(step, conversation)) ? true : 'undecidable';
  },
  check: ({ id, observations, actions }, { conversation, report }) => {
    /** The first look that showed the task waiting, of those in a row. */
    let first: TaskObservation | undefined;
    for (const { before, after } of stepsOf(observations)) {
      const since = waits(before) ? (first ?? before) : undefined;
      first = since;
      if (since === undefined || after.state !== 'TASK_STATE_WORKING') continue;
      if (isCut({ before: since, after }, conversation)) continue;
      if (actions.some((action) => mayResume(action, since, after))) continue;
      report('alone', {
        ...placeOf(after),
        data: { task: id },
        expected: before.state,
        actual: after.state,
      });
    }
  },
});

const waits = ({ state }: TaskObservation): boolean => state === 'TASK_STATE_INPUT_REQUIRED';

/** A message may have come in between that was not recorded. */
const isCut = (
  { before, after }: { readonly before: TaskObservation; readonly after: TaskObservation },
  conversation: Conversation,
): boolean => conversation.gapBetween(before.exchange.startNs, after.atNs);
