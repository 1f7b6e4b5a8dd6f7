import { defineRule } from '@plugfest/verifier';
import { getCard, rest, restError, restV03, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { v03 as v03grpc } from '../grpc/calls.ts';
import { isUnread } from '../unread-body.ts';
import { isAtDeclaredInterface } from './declared-url.ts';
import { answeredByWebServer } from './not-grpc.ts';
import { strangeAnswer } from './strange-answer.ts';

const card = getCard(v1.card());
const send = { verb: 'POST', path: '/message:send', body: { message: v1.message('hello') } } as const;
const get = { method: 'GetTask', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'CARD-014',
  level: 'MUST',
  party: 'server',
  summary: 'What a card declares is served: the URL of each interface speaks the binding that it names.',
  spec: { '0.3': '5.6.2', '1.0': '8.3.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    absent:
      'The card declares {binding} at this URL, but {path} is answered with HTTP {status} and nothing of A2A',
  },
  why: 'Clients choose the interface by the card and cannot know that another path would have worked.',
  fix: 'Serve the interface at the declared URL, or declare the URL at which it is served, prefix included.',
  examples: {
    good: [
      [card, rpc({ ...get, result: v1.task('WORKING') })],
      [card, rest({ ...send, response: { task: v1.task('COMPLETED') } })],
      [
        card,
        rest({
          verb: 'GET',
          path: '/tasks/nope',
          status: 404,
          response: restError(404, 'NOT_FOUND', 'Task not found', [v1.errorInfo('TASK_NOT_FOUND')]),
        }),
      ],
      // What is not found is the task that the message names; 0.3 has no form for the error (section 3.2.3).
      [
        getCard(
          v03.card({
            additionalInterfaces: [
              { url: 'https://agent.example/a2a', transport: 'JSONRPC' },
              { url: 'https://agent.example/rest', transport: 'HTTP+JSON' },
            ],
          }),
        ),
        restV03({
          verb: 'POST',
          path: '/rest/v1/message:send',
          body: { message: { ...v03grpc.message, taskId: 'task-9' } },
          status: 404,
          response: { message: 'Task task-9 was specified but does not exist' },
        }),
      ],
    ],
    skip: [
      [rpc({ ...get, status: 404, responseText: '' })],
      [card, rest({ ...send, path: '/v1/message:send', status: 404, response: { detail: 'Not Found' } })],
      [
        getCard(v03.card()),
        rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') }),
      ],
    ],
    bad: [
      {
        example: [card, rest({ ...send, status: 404, response: { detail: 'Not Found' } })],
        messages: ['absent'],
      },
      { example: [card, rpc({ ...get, status: 405, responseText: '' })], messages: ['absent'] },
      {
        example: [
          getCard(
            v1.card({
              supportedInterfaces: [
                { url: 'agent.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' },
              ],
            }),
          ),
          answeredByWebServer('1.0'),
        ],
        messages: ['absent'],
      },
      {
        example: [
          getCard(
            v03.card({
              additionalInterfaces: [
                { url: 'https://agent.example/a2a', transport: 'JSONRPC' },
                { url: 'https://agent.example:443', transport: 'GRPC' },
              ],
            }),
          ),
          answeredByWebServer('0.3'),
        ],
        messages: ['absent'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const { response } = exchange;
    if (response === undefined || !isAtDeclaredInterface(exchange, conversation)) return false;
    return isUnread(response.json.state) && strangeAnswer(exchange) !== undefined ? 'undecidable' : true;
  },
  check: (exchange, { report }) => {
    const status = strangeAnswer(exchange);
    if (status === undefined) return;
    report('absent', {
      data: { binding: exchange.dialect.binding, path: exchange.request.path, status },
      at: { side: 'response' },
      expected: 'an answer in the declared binding',
      actual: status,
    });
  },
});
