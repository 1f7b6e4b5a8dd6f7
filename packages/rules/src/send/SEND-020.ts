import type { DecodedExchange, MessageView } from '@plugfest/a2a';
import { defineRule, digestParts } from '@plugfest/verifier';
import { rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { onceForEach } from '../last-exchange.ts';
import { placeOf, sentMessage } from '../sent-message.ts';

/** A message of the agent, and the event that has it. */
interface AgentMessage {
  readonly message: MessageView;
  readonly event: number | undefined;
}

/** The messages that the agent itself wrote: replies, status messages and its part of the history. */
const agentMessages = onceForEach(({ payloads }): readonly AgentMessage[] => {
  const found: AgentMessage[] = [];
  const add = (message: MessageView | undefined, event: number | undefined): void => {
    if (message?.messageId && message.role === 'ROLE_AGENT') found.push({ message, event });
  };
  for (const payload of payloads) {
    if (payload.side !== 'response') continue;
    if (payload.kind === 'message') add(payload.message, payload.event);
    else if (payload.kind === 'statusUpdate') add(payload.update.status.message, payload.event);
    else if (payload.kind === 'task') {
      add(payload.task.status.message, payload.event);
      if (payload.task.history !== undefined)
        for (const message of payload.task.history) add(message, payload.event);
    }
  }
  return found;
});

/** Some message of the agent has the id of an earlier one in the same answer. */
function hasRepeated(exchange: DecodedExchange): boolean {
  const all = agentMessages(exchange);
  return all.length > 1 && new Set(all.map(({ message }) => message.messageId)).size < all.length;
}

/** Each message of the agent that has the id of an earlier one in the same answer, with the first of that id. */
function* repeated(exchange: DecodedExchange): Generator<{ again: AgentMessage; first: MessageView }> {
  const seen = new Map<string, MessageView>();
  for (const again of agentMessages(exchange)) {
    const id = again.message.messageId ?? '';
    const first = seen.get(id);
    if (first === undefined) seen.set(id, again.message);
    else yield { again, first };
  }
}

const send = (text: string, id: string) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message(text, { messageId: id }) },
    result: { message: v1.reply(`re: ${text}`) },
  });
const send03 = (text: string, id: string) =>
  rpc({
    version: '0.3',
    method: 'message/send',
    params: { message: v03.message(text, { messageId: id }) },
    result: v03.reply(`re: ${text}`),
  });
const progress = (text: string, id: string) =>
  v1.statusUpdate('WORKING', {
    status: v1.status('WORKING', { message: v1.reply(text, { messageId: id, taskId: 'task-1' }) }),
  });
const stream = (second: string) =>
  rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('hello') },
    events: [
      { task: v1.task('WORKING') },
      progress('Reading', 'r-1'),
      progress('Writing', second),
      v1.artifactUpdate('answer'),
      v1.statusUpdate('COMPLETED'),
    ],
  });
const asked = (before: string) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message('hello') },
    result: {
      task: v1.task('INPUT_REQUIRED', {
        history: [
          v1.message('hello', { taskId: 'task-1', contextId: 'ctx-1' }),
          v1.reply(before, { messageId: 'r-what-is-needed', taskId: 'task-1' }),
        ],
      }),
    },
  });

export default defineRule({
  id: 'SEND-020',
  level: 'SHOULD',
  party: 'sender',
  summary: 'A messageId stands for one message of its sender.',
  spec: { '0.2': '6.4', '0.3': '6.4', '1.0': '4.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { reused: 'The messageId {id} was used before, for another content' },
  why: 'A receiver that drops repetitions takes the second message for the first: it is never read. The same message again, after a lost answer, is no fault.',
  fix: 'Make a new id for every message, e.g. a UUID, and keep it only when the same message is sent again.',
  examples: {
    good: [
      [send('hello', 'm-1'), send('hello', 'm-1')],
      [send03('hello', 'm-1'), send03('hello', 'm-1')],
      // The history has the message of the status once more.
      [asked('What is needed?')],
    ],
    skip: [[send('hello', 'm-1'), send('good bye', 'm-2')], [stream('r-2')]],
    bad: [
      { example: [send('hello', 'm-1'), send('good bye', 'm-1')], messages: ['reused'] },
      { example: [send03('hello', 'm-1'), send03('good bye', 'm-1')], messages: ['reused'] },
      { example: [stream('r-1')], messages: ['reused'] },
      { example: [asked('Tell me more')], messages: ['reused'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const sent = sentMessage(exchange)?.message;
    if (
      sent !== undefined &&
      conversation.lastUseOfMessage(exchange.captured.edge.caller, sent) !== undefined
    )
      return true;
    return hasRepeated(exchange);
  },
  check: (exchange, { conversation, report }) => {
    const sent = sentMessage(exchange);
    const { caller } = exchange.captured.edge;
    if (sent !== undefined && conversation.lastUseOfMessage(caller, sent.message)?.isSame === false)
      report('reused', {
        data: { id: sent.message.messageId },
        at: placeOf(sent, '/messageId'),
        expected: 'a new id',
        actual: sent.message.messageId,
      });
    for (const { again, first } of repeated(exchange)) {
      const { message, event } = again;
      if (digestParts(message.parts) === digestParts(first.parts)) continue;
      report('reused', {
        data: { id: message.messageId },
        at: {
          side: 'response',
          pointer: `${message.pointer}/messageId`,
          ...(event === undefined ? {} : { event }),
        },
        expected: 'a new id',
        actual: message.messageId,
      });
      return;
    }
  },
});
