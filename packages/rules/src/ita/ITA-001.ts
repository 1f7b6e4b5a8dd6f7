import type { MessageView, Payload } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';
import { shownState, shownStatus } from '../shown-state.ts';
import { authorizationRequests } from './authorization-request.ts';

const text =
  'Please allow it: https://login.example/authorize?response_type=code&client_id=agent-1&scope=calendar';
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
  when: ({ payloads }) =>
    payloads.some(
      (payload) =>
        payload.side === 'response' &&
        (shownState(payload) === 'TASK_STATE_AUTH_REQUIRED' || requestsIn(payload).length > 0),
    ),
  check: ({ payloads }, { report }) => {
    for (const payload of payloads) {
      if (payload.side !== 'response') continue;
      const state = shownState(payload);
      if (state === 'TASK_STATE_AUTH_REQUIRED') continue;
      const [pointer] = requestsIn(payload);
      if (pointer === undefined) continue;
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
  return shownState(payload) === 'TASK_STATE_INPUT_REQUIRED' ? shownStatus(payload)?.message : undefined;
}

const requestsIn = (payload: Payload): readonly string[] =>
  authorizationRequests(askingMessage(payload)?.parts ?? []);
