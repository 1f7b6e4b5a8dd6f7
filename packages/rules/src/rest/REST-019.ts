import type { DecodedExchange } from '@plugfest/a2a';
import { isStreaming } from '@plugfest/a2a';
import { isJsonObject, type JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';
import { isSuccess } from './success.ts';

const send = { verb: 'POST', path: '/message:send', body: { message: v1.message('hello') } } as const;
const get = { verb: 'GET', path: '/tasks/task-1' } as const;
const page = { nextPageToken: '', pageSize: 50, totalSize: 1 };

export default defineRule({
  id: 'REST-019',
  level: 'MUST',
  party: 'server',
  summary:
    'A success over HTTP+JSON is the JSON of the response message: `task` or `message` for a send, a bare Task for get and cancel.',
  spec: { '1.0': '11.4' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: {
    json: 'The HTTP {status} answer has no JSON object as its body',
    bare: 'The answer to the send is a bare {found} without the member `task` or `message` around it',
    wrapped: 'The task is wrapped into `{found}`, where the body itself is the Task',
    list: 'The answer is a bare array instead of an object with the list and its page token',
  },
  why: 'Generated clients parse the body as that message: with a wrapper too many or too few they see an empty result.',
  fix: 'Serialise the response message of the proto as it is: SendMessageResponse, Task, ListTasksResponse, TaskPushNotificationConfig or AgentCard.',
  examples: {
    good: [
      [rest({ ...send, response: { task: v1.task('COMPLETED') } })],
      [rest({ ...get, response: v1.task('WORKING') })],
      [rest({ verb: 'GET', path: '/tasks', response: { tasks: [v1.task('WORKING')], ...page } })],
      // Members that A2A does not know mean nothing.
      [rest({ ...get, response: v1.task('WORKING', { data: {} }) })],
      [rest({ verb: 'GET', path: '/tasks', response: { tasks: [v1.task('WORKING')], ...page, data: {} } })],
    ],
    skip: [
      [
        rest({
          ...get,
          status: 404,
          response: restError(404, 'NOT_FOUND', 'No such task', [v1.errorInfo('TASK_NOT_FOUND')]),
        }),
      ],
      [
        rest({
          verb: 'DELETE',
          path: '/tasks/task-1/pushNotificationConfigs/c-1',
          status: 204,
          responseText: '',
        }),
      ],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      // The connection broke before the body.
      [
        {
          ...rest(get),
          response: { status: 200, headers: { 'Content-Type': 'application/a2a+json' }, end: 'reset' },
        },
      ],
    ],
    bad: [
      {
        example: [
          rest({ ...send, responseHeaders: { 'Content-Type': 'text/plain' }, responseText: 'Here you are' }),
        ],
        messages: ['json'],
      },
      { example: [rest({ ...get, responseText: '' })], messages: ['json'] },
      { example: [rest({ ...get, response: [v1.task('WORKING')] })], messages: ['json'] },
      ...[v1.task('COMPLETED'), v1.reply('hi'), { role: 'ROLE_AGENT' }, { parts: [{ text: 'hi' }] }].map(
        (response) => ({ example: [rest({ ...send, response })], messages: ['bare'] as const }),
      ),
      ...['task', 'result', 'data'].map((member) => ({
        example: [rest({ ...get, response: { [member]: v1.task('WORKING') } })],
        messages: ['wrapped'] as const,
      })),
      {
        example: [
          rest({
            verb: 'POST',
            path: '/tasks/task-1:cancel',
            body: {},
            response: { task: v1.task('CANCELED') },
          }),
        ],
        messages: ['wrapped'],
      },
      {
        example: [rest({ verb: 'GET', path: '/tasks', response: [v1.task('WORKING')] })],
        messages: ['list'],
      },
    ],
  },
  when: (exchange) => {
    const { operation, response } = exchange;
    if (operation === undefined || isStreaming(operation) || operation === 'DeleteTaskPushNotificationConfig')
      return false;
    if (!isSuccess(response)) return false;
    // Errors and envelopes in a success are the matter of REST-022 and REST-021.
    if (response.error !== undefined || response.rpc !== undefined || response.events !== undefined)
      return false;
    const { state } = response.json;
    if (isUnread(state)) return 'undecidable';
    return state !== 'absent' || response.complete ? true : 'undecidable';
  },
  check: ({ operation, response }: DecodedExchange, { report }) => {
    const value = response?.json.value;
    const at = { side: 'response', pointer: '' } as const;
    if (Array.isArray(value) && operation?.startsWith('List') === true) {
      report('list', { at, expected: 'an object', actual: value });
    } else if (!isJsonObject(value)) {
      report('json', {
        data: { status: response?.status },
        at,
        expected: 'a JSON object',
        actual: value ?? response?.json.text,
      });
    } else if (operation === 'SendMessage') {
      const found = bareKind(value);
      if (found !== undefined)
        report('bare', { data: { found }, at, expected: '{"task": …} or {"message": …}', actual: value });
    } else if ((operation === 'GetTask' || operation === 'CancelTask') && !('id' in value)) {
      const found = ['task', 'result', 'data'].find((member) => isJsonObject(value[member]));
      if (found !== undefined)
        report('wrapped', { data: { found }, at, expected: 'the Task itself', actual: value });
    }
  },
});

/** What a body is where no wrapper is around it. */
function bareKind(value: JsonObject): 'Task' | 'Message' | undefined {
  if ('task' in value || 'message' in value) return undefined;
  if ('status' in value && 'id' in value) return 'Task';
  return 'role' in value || 'parts' in value ? 'Message' : undefined;
}
