import { type DecodedExchange, isInterrupted, isTerminal } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { configurationOf, placeOf, returnedTasks } from '../sent-message.ts';
import { isUnread } from '../unread-body.ts';

const message = v1.message('hello');
const call = (state: string, configuration = {}) =>
  rpc({ method: 'SendMessage', params: { message, configuration }, result: { task: v1.task(state) } });

export default defineRule({
  id: 'SEND-006',
  level: 'MUST',
  party: 'server',
  summary:
    'Without `returnImmediately: true` a send is answered when the task is terminal or interrupted, not before.',
  spec: { '1.0': '3.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage'],
  messages: { early: 'The blocking send is answered while the task is {found}' },
  why: 'The client takes the answer for the result: it shows an empty one, and nobody polls for the rest.',
  fix: 'Wait for a terminal or interrupted state before answering, and return early only where the client asks for it.',
  examples: {
    good: [
      [call('COMPLETED')],
      [call('INPUT_REQUIRED', { returnImmediately: false })],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message },
          response: { task: v1.task('FAILED') },
        }),
      ],
    ],
    skip: [
      [call('WORKING', { returnImmediately: true })],
      // Members of drafts, by which the client may mean either.
      [call('WORKING', { blocking: false })],
      [call('WORKING', { return_immediately: true })],
      [call('UNSPECIFIED')],
      [rpc({ method: 'SendMessage', params: { message }, result: { message: v1.reply('hi') } })],
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params: { message },
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    bad: [
      { example: [call('WORKING')], messages: ['early'] },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message, configuration: { returnImmediately: false } },
            response: { task: v1.task('SUBMITTED') },
          }),
        ],
        messages: ['early'],
      },
    ],
  },
  when: (exchange) => {
    const { operation, request, response } = exchange;
    if (operation !== 'SendMessage' || response?.events !== undefined) return false;
    const [answer] = returnedTasks(exchange);
    const state = answer?.task.status.state;
    if (state === undefined || state === 'TASK_STATE_UNSPECIFIED') return false;
    if (isUnread(request.json.state)) return 'undecidable';
    return request.json.state === 'ok' && isBlocking(exchange);
  },
  check: (exchange, { report }) => {
    const [answer] = returnedTasks(exchange);
    const state = answer?.task.status.state;
    if (answer === undefined || isTerminal(state) || isInterrupted(state)) return;
    report('early', {
      data: { found: state },
      at: placeOf(answer, '/status/state'),
      expected: 'a terminal or interrupted state',
      actual: answer.task.status.rawState,
    });
  },
});

/** The client wants to wait. A `blocking` that is left over from 1.0 drafts leaves open what it wants. */
function isBlocking(exchange: DecodedExchange): boolean {
  const configuration = configurationOf(exchange);
  if (configuration === undefined) return true;
  const { returnImmediately } = configuration;
  if (configuration.blocking !== undefined || configuration.return_immediately !== undefined) return false;
  return returnImmediately === undefined || returnImmediately === null || returnImmediately === false;
}
