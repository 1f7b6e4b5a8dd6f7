import { defineRule } from '@plugfest/verifier';
import { rest, restError, restStream, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf } from '../refusal.ts';
import { calledRoute } from './called-route.ts';

const path = '/tasks/task-1:subscribe';
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];

export default defineRule({
  id: 'REST-006',
  level: 'MUST',
  party: 'sender',
  summary: 'A task is subscribed to by POST or GET at `/tasks/{id}:subscribe`, and servers take both.',
  spec: { '1.0': '11.3.2' },
  bindings: ['HTTP+JSON', 'JSONRPC'],
  scope: 'exchange',
  messages: {
    route: '{verb} {path} is no call of A2A; SubscribeToTask is POST or GET {base}/tasks/{id}:subscribe',
    refused: 'The server has no route for {verb} {path}: it answers HTTP {status}',
  },
  where: { refused: { bindings: ['HTTP+JSON'] } },
  why: 'The prose says POST and the proto says GET, so clients come with either; a server with only one of them is unreachable for half of them. As the text contradicts itself, this is a warning for the server.',
  fix: 'As a client, subscribe by POST; as a server, register both verbs for the path.',
  examples: {
    good: [
      [restStream({ verb: 'POST', path, events })],
      [restStream({ verb: 'GET', path, events })],
      [
        rest({
          verb: 'GET',
          path,
          status: 404,
          response: restError(404, 'NOT_FOUND', `Nothing at ${path}`, [v1.errorInfo('TASK_NOT_FOUND')]),
        }),
      ],
      [
        rest({
          verb: 'GET',
          path,
          status: 503,
          response: restError(503, 'UNAVAILABLE', `Try ${path} again later`),
        }),
      ],
    ],
    skip: [
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [rest({ verb: 'PUT', path, status: 200, response: {} })],
        messages: ['route'],
      },
      {
        example: [
          rest({ verb: 'POST', path: '/tasks/task-1/subscribe', body: {}, status: 404, responseText: '' }),
        ],
        messages: ['route'],
      },
      { example: [rest({ verb: 'POST', path, status: 405, responseText: '' })], messages: ['refused'] },
      {
        example: [
          rest({
            verb: 'GET',
            path,
            status: 404,
            response: restError(404, 'NOT_FOUND', 'No task-1:subscribe'),
          }),
        ],
        messages: ['refused'],
      },
    ],
  },
  when: (exchange, { conversation }) => calledRoute(exchange, conversation)?.operation === 'SubscribeToTask',
  check: (exchange, { conversation, report }) => {
    const called = calledRoute(exchange, conversation);
    if (called === undefined) return;
    const { request, response } = exchange;
    const { verb } = called;
    const { path: calledPath } = request;
    if (!called.right) {
      report('route', {
        data: { verb, path: calledPath },
        at: { side: 'request' },
        expected: 'POST {base}/tasks/{id}:subscribe',
        actual: `${verb} ${calledPath}`,
      });
      return;
    }
    if (response === undefined) return;
    // A router that has no such route reads the verb as a part of the id, and says so.
    const misread = response.status === 404 && response.json.text.slice(0, 4096).includes(':subscribe');
    const named = refusalOf(exchange)?.name !== undefined;
    if (response.status === 405 || (misread && !named))
      report('refused', {
        outcome: 'warn',
        data: { verb, path: calledPath, status: response.status },
        at: { side: 'response' },
        expected: 'an event stream, or an A2A error',
        actual: response.status,
      });
  },
});
