import type { DecodedExchange, MessageView, Payload } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { hasText, secretsIn } from '../auth/secret-text.ts';
import { isSend, placeOf, sentMessage } from '../sent-message.ts';
import { shownStatus } from '../shown-state.ts';

const send = { method: 'SendMessage', params: { message: v1.message('hello') } } as const;
const working = (text: string) =>
  v1.status('WORKING', { message: v1.reply('note', { taskId: 'task-1', parts: [{ text }] }) });
const stream = (text: string) =>
  rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('hello') },
    events: [
      { task: v1.task('SUBMITTED') },
      v1.statusUpdate('WORKING', { status: working(text) }),
      v1.artifactUpdate('answer'),
      v1.statusUpdate('COMPLETED'),
    ],
  });
const secret = 'Connecting with password: s3cr3t-of-ours';

export default defineRule({
  id: 'GUIDE-009',
  level: 'SHOULD',
  party: 'server',
  summary: 'Replies and status messages of an agent hold no credentials.',
  spec: {
    '0.1': 'Guide: Implementing a server',
    '0.2': 'Guide: Implementing a server',
    '0.3': 'Guide: Implementing a server',
    '1.0': 'Guide: Implementing a server',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage', 'SubscribeToTask'],
  messages: { secret: 'The text that the agent sends holds {what}' },
  why: 'What an agent uses to reach its own tools gets into histories, logs and other agents, and opens those tools to all of them.',
  fix: 'Keep the agent’s credentials out of prompts and tool output, and write status messages for the user, not for debugging.',
  examples: {
    good: [
      [stream('Looking for direct flights')],
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('hello') },
          result: v03.reply('hello'),
        }),
      ],
    ],
    skip: [
      [rpc({ ...send, result: { task: v1.task('COMPLETED') } })],
      // What the client gave away itself the agent may repeat.
      [
        rpc({
          ...send,
          params: { message: v1.message(secret) },
          result: { message: v1.reply('note', { parts: [{ text: secret }] }) },
        }),
      ],
    ],
    bad: [
      { example: [stream(secret)], messages: ['secret'] },
      {
        example: [
          rpcStream({
            method: 'SubscribeToTask',
            params: { id: 'task-1' },
            events: [
              { task: v1.task('WORKING') },
              v1.statusUpdate('WORKING', { status: working(secret) }),
              v1.statusUpdate('COMPLETED'),
            ],
          }),
        ],
        messages: ['secret'],
      },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: v1.message('hello') },
            response: { message: v1.reply('note', { parts: [{ text: secret }] }) },
          }),
        ],
        messages: ['secret'],
      },
    ],
  },
  when: (exchange) =>
    isSaidNow(exchange) &&
    exchange.payloads.some((payload) => hasText(saidIn(payload)?.parts ?? [])) &&
    !wasGiven(exchange),
  check: ({ payloads }, { report }) => {
    for (const payload of payloads)
      for (const { what, pointer } of secretsIn(saidIn(payload)?.parts ?? []))
        report('secret', {
          data: { what },
          at: { ...placeOf(payload), pointer },
          expected: 'no credentials',
        });
  },
});

/** Reading a task again only repeats what was said before. */
const isSaidNow = (exchange: DecodedExchange): boolean =>
  isSend(exchange) || exchange.operation === 'SubscribeToTask';

/** What the agent says, as a reply or in a status. Artifacts may hold what somebody asked for. */
function saidIn(payload: Payload): MessageView | undefined {
  if (payload.side === 'request') return undefined;
  return payload.kind === 'message' ? payload.message : shownStatus(payload)?.message;
}

/** The client put a secret into its own message, which the agent may just repeat: AUTH-008 tells of that. */
const wasGiven = (exchange: DecodedExchange): boolean =>
  secretsIn(sentMessage(exchange)?.message.parts ?? []).length > 0;
