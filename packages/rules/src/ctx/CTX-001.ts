import type { TaskHistory } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { placeOf } from '../life/steps.ts';

const params = { message: v1.message('hello') };
const stream = { method: 'SendStreamingMessage', params } as const;
const nameless = { task: v1.task('INPUT_REQUIRED', { contextId: undefined }) };
const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('INPUT_REQUIRED') });

export default defineRule({
  id: 'CTX-001',
  level: 'MUST',
  party: 'server',
  summary: 'A context id that the agent makes for a task is in the answer that creates the task.',
  spec: { '1.0': '3.4.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { hidden: 'Task {task} was created without `contextId`, and belongs to context {context} later' },
  why: 'Without the id the client cannot go on with the conversation: its next message starts a new one.',
  fix: 'Make the context id before answering, and put it into the first Task or Message.',
  examples: {
    good: [
      [rpc({ method: 'SendMessage', params, result: { task: v1.task('COMPLETED') } })],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: params,
          response: { task: v1.task('INPUT_REQUIRED') },
        }),
        get,
      ],
    ],
    skip: [
      [get],
      [rpc({ method: 'SendMessage', params, result: nameless })],
      [rpc({ method: 'SendMessage', params, result: { message: v1.reply('hi') } })],
    ],
    bad: [
      { example: [rpc({ method: 'SendMessage', params, result: nameless }), get], messages: ['hidden'] },
      {
        example: [
          rpcStream({
            ...stream,
            events: [{ task: v1.task('WORKING', { contextId: undefined }) }, v1.statusUpdate('COMPLETED')],
          }),
        ],
        messages: ['hidden'],
      },
    ],
  },
  when: (task, { conversation }) => {
    const context = contextOf(task);
    const created = creationOf(task);
    if (context === undefined || created === undefined) return false;
    // A context that the client named first is none that the agent made: see CTX-002.
    const first = conversation.context(task.agent, context)?.firstFromClient;
    return first === undefined || first.atNs > created.atNs;
  },
  check: (task, { report }) => {
    const created = creationOf(task);
    if (created === undefined || created.contextId) return;
    const { exchange, at } = placeOf(created);
    report('hidden', {
      exchange,
      data: { task: task.id, context: contextOf(task) },
      at: { ...at, pointer: `${at.pointer}/contextId` },
      expected: 'the context id',
    });
  },
});

const contextOf = ({ observations }: TaskHistory): string | undefined =>
  observations.find(({ contextId }) => Boolean(contextId))?.contextId;

/** The Task that answered the message which made it: the first look at all, where that answers a send. */
function creationOf({ observations }: TaskHistory) {
  const [first] = observations;
  if (first?.kind !== 'task') return undefined;
  return first.channel === 'send' || first.channel === 'stream' ? first : undefined;
}
