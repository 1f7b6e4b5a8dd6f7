import type { DecodedExchange, MessageView, Payload } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';
import { shownState, shownStatus } from '../shown-state.ts';
import { authorizationRequests } from './authorization-request.ts';
import { waitsForAuthorisation } from './silent-wait.ts';

const text =
  'Please allow it: http://login.example/authorize?response_type=code&client_id=agent-1&scope=calendar (what it is for: https://agent.example/help)';
/** Speaks of such links and holds none. */
const manual =
  'A link has response_type=code and a client, as in https://[host]/authorize?response_type=code&client_id=you. Read https://login.example/help?response_type=code or https://login.example/clients?client_id=agent-1';
const ask = v1.reply('ask', { parts: [{ text }] });
const waiting = (state: string) =>
  v1.task(state, {
    status: v1.status(state, { message: v1.reply('ask', { parts: [{ text }], taskId: 'task-1' }) }),
  });
const send = { method: 'SendMessage', params: { message: v1.message('hello') } } as const;
const post = { verb: 'POST', path: '/message:send', body: { message: v1.message('hello') } } as const;

export default defineRule({
  id: 'ITA-001',
  level: 'MUST',
  party: 'server',
  summary: 'An agent asks for authorisation on a task, which enters AUTH_REQUIRED.',
  spec: { '1.0': '7.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    message: 'The agent asks for an authorisation in a message, without a task',
    state: 'The agent asks for an authorisation while the task is {state}',
  },
  why: 'A client that drives the task by its state does not see that somebody has to log in: it asks its user for a text, or is done. Whether a link asks for an authorisation is read out of the text, so this is a warning.',
  fix: 'Make a task, set it to TASK_STATE_AUTH_REQUIRED, and put the link into its status message.',
  examples: {
    good: [
      [rpc({ ...send, result: { task: waiting('AUTH_REQUIRED') } })],
      [rest({ ...post, response: { task: waiting('AUTH_REQUIRED') } })],
    ],
    skip: [
      [rpc({ ...send, result: { task: v1.task('COMPLETED') } })],
      [rpc({ ...send, result: { message: v1.reply('hello') } })],
      [rpc({ ...send, result: { message: v1.reply(manual) } })],
      [rpc({ ...send, result: { message: v1.reply('It begins with response_type=code') } })],
      // What the client passes on asks nobody, and a link of a task that is over is history.
      [rpc({ ...send, params: { message: v1.message(text) }, result: { message: v1.reply('hello') } })],
      [rpc({ ...send, result: { task: waiting('COMPLETED') } })],
    ],
    bad: [
      {
        example: [rpc({ ...send, result: { message: ask } })],
        messages: ['message'],
        outcomes: ['warn'],
      },
      { example: [rest({ ...post, response: { task: waiting('INPUT_REQUIRED') } })], messages: ['state'] },
    ],
  },
  when: (exchange) => exchange.payloads.some(waitsForAuthorisation) || misplaced(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const { payload, pointer } of misplaced(exchange)) {
      const state = shownState(payload);
      report(payload.kind === 'message' ? 'message' : 'state', {
        outcome: 'warn',
        data: { state },
        at: { ...placeOf(payload), pointer },
        expected: 'a task in TASK_STATE_AUTH_REQUIRED',
        actual: state,
      });
    }
  },
});

/** A finished task may tell of a link that was needed, or is of use later. */
function askingMessage(payload: Payload): MessageView | undefined {
  if (payload.kind === 'message') return payload.message;
  const status = shownStatus(payload);
  return status?.state === 'TASK_STATE_INPUT_REQUIRED' ? status.message : undefined;
}

/** What the agent asks for elsewhere than on a task that waits for it, with the first part that asks. */
function misplaced({ payloads }: DecodedExchange) {
  return payloads.flatMap((payload) => {
    if (payload.side !== 'response') return [];
    const message = askingMessage(payload);
    if (message === undefined) return [];
    return authorizationRequests(message.parts)
      .slice(0, 1)
      .map((pointer) => ({ payload, pointer }));
  });
}
