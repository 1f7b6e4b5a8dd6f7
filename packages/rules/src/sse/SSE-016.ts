import type { Payload } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1, v03 } from '@plugfest/verifier/examples';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const working = { task: v1.task('WORKING') };

export default defineRule({
  id: 'SSE-016',
  level: 'MUST',
  party: 'server',
  summary: 'Every event of a stream speaks of the task, and the context, that the stream began with.',
  spec: { '0.1': '7.2.2', '0.2': '7.2.2', '0.3': '7.2.2', '1.0': '4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: {
    task: 'Event {event} speaks of task {found}, the stream is about task {first}',
    context: 'Event {event} names the context {found}, the task is in context {first}',
  },
  where: { context: { versions: ['0.2', '0.3', '1.0'] } },
  why: 'Clients drop events of a task that they did not ask for, and open a new conversation for another context.',
  fix: 'Take task and context id of every event from the task that the stream follows.',
  examples: {
    good: [
      [rpcStream({ ...send, events: [working, v1.artifactUpdate('answer'), v1.statusUpdate('COMPLETED')] })],
      [
        restStream({
          verb: 'POST',
          path: '/message:stream',
          body: params,
          events: [working, v1.statusUpdate('COMPLETED')],
        }),
      ],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.statusUpdate('completed')],
        }),
      ],
    ],
    skip: [
      [rpcStream({ ...send, events: [{ message: v1.reply('hi') }] })],
      [rpcStream({ ...send, events: [{ task: v1.task('COMPLETED') }] })],
    ],
    bad: [
      {
        example: [
          rpcStream({ ...send, events: [working, v1.statusUpdate('COMPLETED', { taskId: 'task-2' })] }),
        ],
        messages: ['task'],
      },
      {
        example: [
          rpcStream({
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message('hello') },
            events: [v03.task('working'), v03.statusUpdate('completed', { contextId: '' })],
          }),
        ],
        messages: ['context'],
      },
      {
        example: [
          rpcStream({ ...send, events: [working, v1.statusUpdate('COMPLETED', { contextId: 'ctx-2' })] }),
        ],
        messages: ['context'],
      },
    ],
  },
  when: ({ payloads }) => payloads.filter((payload) => subjectOf(payload) !== undefined).length > 1,
  check: ({ payloads }, { report }) => {
    let task: string | undefined;
    let context: string | undefined;
    for (const payload of payloads) {
      const subject = subjectOf(payload);
      if (subject === undefined) continue;
      const { event = 0, pointer } = payload;
      // An id that is absent altogether is the matter of other rules.
      const place = (member: string) =>
        ({ side: 'response', event, pointer: `${pointer}/${member}` }) as const;
      if (task !== undefined && subject.taskId !== undefined && subject.taskId !== task)
        report('task', {
          data: { event, found: subject.taskId, first: task },
          at: place(payload.kind === 'task' ? 'id' : 'taskId'),
          expected: task,
          actual: subject.taskId,
        });
      if (context !== undefined && subject.contextId !== undefined && subject.contextId !== context)
        report('context', {
          data: { event, found: subject.contextId === '' ? '""' : subject.contextId, first: context },
          at: place('contextId'),
          expected: context,
          actual: subject.contextId,
        });
      task ??= subject.taskId;
      context ??= subject.contextId;
    }
  },
});

interface Subject {
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
}

function subjectOf(payload: Payload): Subject | undefined {
  switch (payload.kind) {
    case 'task':
      return { taskId: payload.task.id, contextId: payload.task.contextId };
    case 'statusUpdate':
    case 'artifactUpdate':
      return { taskId: payload.update.taskId, contextId: payload.update.contextId };
    default:
      return undefined;
  }
}
