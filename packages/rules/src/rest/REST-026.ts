import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, v1 } from '@plugfest/verifier/examples';

const cancel = { verb: 'POST', path: '/tasks/task-1:cancel', response: v1.task('CANCELED') } as const;
const create = {
  verb: 'POST',
  path: '/tasks/task-1/pushNotificationConfigs',
  response: v1.pushConfig({ id: 'config-1' }),
} as const;

export default defineRule({
  id: 'REST-026',
  level: 'MUST',
  party: 'client',
  summary: 'Where path and body of a request both name the task, they name the same one.',
  spec: { '1.0': '11.3' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  about: ['CancelTask', 'SubscribeToTask', 'CreateTaskPushNotificationConfig'],
  messages: { other: 'The path names task {path}, the body task {body}' },
  why: 'Some servers follow the path and some the body: one of them cancels the wrong task, or sends its updates to the wrong webhook.',
  fix: 'Name the task in the path, and leave the member out of the body or repeat the same id.',
  examples: {
    good: [[rest({ ...cancel, body: { id: 'task-1' } })], [rest({ ...create, body: v1.pushConfig() })]],
    skip: [
      ...[{}, { id: null }, { id: '' }].map((body) => [rest({ ...cancel, body })]),
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('hello') },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
      // The path of a send names no task.
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('hello'), taskId: 'task-1' },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      { example: [rest({ ...cancel, body: { id: 'task-2' } })], messages: ['other'] },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/tasks/task-1:subscribe',
            body: { id: 'task-2' },
            status: 404,
            responseText: '',
          }),
        ],
        messages: ['other'],
      },
      { example: [rest({ ...create, body: v1.pushConfig({ taskId: 'task-2' }) })], messages: ['other'] },
    ],
  },
  when: (exchange) => namedTwice(exchange) !== undefined,
  check: (exchange, { report }) => {
    const named = namedTwice(exchange);
    if (named === undefined || named.path === named.body) return;
    report('other', {
      data: { path: named.path, body: named.body },
      at: { side: 'request', pointer: `/${named.member}` },
      expected: String(named.path),
      actual: named.body,
    });
  },
});

/** The task as the path names it, and as the body does; undefined where the body names none. */
function namedTwice({ operation, request }: DecodedExchange) {
  const { value } = request.json;
  if (!isJsonObject(value) || !isJsonObject(request.params)) return undefined;
  const ofTask = operation === 'CancelTask' || operation === 'SubscribeToTask';
  const member = ofTask ? 'id' : operation === 'CreateTaskPushNotificationConfig' ? 'taskId' : undefined;
  const body: Json | undefined = member && value[member];
  // The empty string is the default of the proto, which is as good as absent.
  if (member === undefined || body === undefined || body === null || body === '') return undefined;
  return { member, path: request.params[member], body };
}
