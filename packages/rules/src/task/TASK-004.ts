import { type DecodedExchange, isInterrupted, isTerminal, type MessageView } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { placeOf, returnedTasks, type TaskPayload } from '../sent-message.ts';
import { historyLimitOf } from './history-limit.ts';

const ids = { taskId: 'task-1', contextId: 'ctx-1' };
const said = {
  flight: v1.message('a flight'),
  where: v1.reply('Where to?', { taskId: 'task-1' }),
  rome: v1.message('to Rome', ids),
};
const talk = [
  rpc({
    method: 'SendMessage',
    params: { message: said.flight },
    result: { task: v1.task('INPUT_REQUIRED') },
  }),
  rpc({ method: 'SendMessage', params: { message: said.rome }, result: { task: v1.task('COMPLETED') } }),
];
const stored = { ...said, flight: { ...said.flight, ...ids } };
const get = (history: readonly (typeof said.rome)[], historyLength?: number) =>
  rpc({
    method: 'GetTask',
    params: { id: 'task-1', ...(historyLength === undefined ? {} : { historyLength }) },
    result: v1.task('COMPLETED', { history }),
  });

const none: readonly MessageView[] = [];

export default defineRule({
  id: 'TASK-004',
  level: 'MUST',
  party: 'server',
  summary: 'The history of a task has its newest messages, the oldest of them first.',
  spec: { '1.0': '3.2.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    order: 'Message {later} stands before message {earlier} in the history, and was sent after it',
    older:
      'The history of {count} messages lacks {missing}, the last one of the history that was shown before',
    newest: 'The history of {count} messages has {kept}, and lacks {missing}, which was sent after it',
  },
  why: 'A client that shows or continues the conversation reads it backwards, or without its last words. An agent need not keep every message, so one that is missing at the end is a warning, unless it was shown before and nothing has happened since.',
  fix: 'Store messages in the order in which they come, and cut a shorter history from the end of the list.',
  examples: {
    good: [
      [...talk, get([stored.flight, stored.where, stored.rome])],
      [
        ...talk,
        rest({
          verb: 'GET',
          path: '/tasks/task-1?historyLength=2',
          response: v1.task('COMPLETED', { history: [stored.where, stored.rome] }),
        }),
      ],
      [...talk, get([stored.flight, stored.rome], 2)],
    ],
    skip: [
      [...talk],
      // Which messages came first is not in the capture.
      [get([stored.rome, stored.flight])],
    ],
    bad: [
      {
        example: [get([stored.flight, stored.where, stored.rome]), get([stored.flight, stored.where], 2)],
        messages: ['older'],
      },
      { example: [...talk, get([stored.rome, stored.where, stored.flight])], messages: ['order'] },
      {
        example: [...talk, get([stored.flight, stored.where], 2)],
        messages: ['newest'],
        outcomes: ['warn'],
      },
      {
        example: [
          ...talk.slice(0, 1),
          rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('INPUT_REQUIRED') }),
          ...talk.slice(1),
          get([stored.flight, stored.where], 2),
        ],
        messages: ['newest'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    returnedTasks(exchange).some((payload) => {
      const { history = none } = payload.task;
      if (history.length === 0 || (history.length === 1 && !isCut(payload, exchange))) return false;
      if (lastShown(payload, exchange, conversation) !== undefined) return true;
      const known = knownMessages(payload, exchange, conversation);
      return known.length > 1 || (known.length > 0 && isCut(payload, exchange));
    }),
  check: (exchange, { conversation, report }) => {
    for (const payload of returnedTasks(exchange)) {
      const shown = lastShown(payload, exchange, conversation);
      if (
        shown !== undefined &&
        payload.task.history?.every(({ messageId }) => messageId !== shown) === true
      ) {
        report('older', {
          data: { count: payload.task.history.length, missing: shown },
          at: placeOf(payload, '/history'),
          expected: 'the newest messages',
        });
        continue;
      }
      const known = knownMessages(payload, exchange, conversation);
      const wrong = known.findIndex((message, i) => {
        const before = known[i - 1];
        return before !== undefined && message.answeredAtNs <= before.sentAtNs;
      });
      const [first, second] = [known[wrong - 1], known[wrong]];
      if (first !== undefined && second !== undefined) {
        report('order', {
          data: { later: first.id, earlier: second.id },
          at: { ...placeOf(payload), pointer: second.pointer },
          expected: 'the oldest message first',
        });
        continue;
      }
      const last = known.at(-1);
      if (last === undefined || !isCut(payload, exchange)) continue;
      const missing = newerThan(last, payload, exchange, conversation);
      if (missing === undefined) continue;
      report('newest', {
        outcome: 'warn',
        data: { count: payload.task.history?.length, kept: last.id, missing },
        at: placeOf(payload, '/history'),
        expected: 'the newest messages',
      });
    }
  },
});

/** A message of the history of which the capture says when it was sent, and when it was answered. */
interface KnownMessage {
  readonly id: string;
  readonly pointer: string;
  readonly sentAtNs: number;
  readonly answeredAtNs: number;
}

/** Things that were done to a task, of which the newest are looked at; who polls does thousands. */
const lastActions = 256;

function actionsOf({ task }: TaskPayload, { captured }: DecodedExchange, conversation: Conversation) {
  const history = conversation.task(captured.edge.callee, task.id);
  return history?.actions.slice(-lastActions) ?? [];
}

/** The messages of a task's history that the capture has seen on their way, in the order of the history. */
function knownMessages(
  payload: TaskPayload,
  exchange: DecodedExchange,
  conversation: Conversation,
): readonly KnownMessage[] {
  const { task } = payload;
  if (task.history === undefined) return [];
  const { caller, callee } = exchange.captured.edge;
  const birth = conversation.task(callee, task.id)?.observations[0];
  const sent = new Map(
    actionsOf(payload, exchange, conversation).map((action) => [action.messageId, action]),
  );
  return task.history.flatMap(({ messageId: id, pointer }: MessageView) => {
    if (id === undefined) return [];
    const action = sent.get(id);
    if (action?.answeredAtNs !== undefined)
      return [{ id, pointer, sentAtNs: action.atNs, answeredAtNs: action.answeredAtNs }];
    if (birth === undefined || conversation.firstUseOfMessage(caller, callee, id) !== birth.exchange.id)
      return [];
    return [{ id, pointer, sentAtNs: birth.exchange.startNs, answeredAtNs: birth.atNs }];
  });
}

/** The history, which has messages, was to be cut, and may have been: it is as long as was asked for. */
function isCut({ task }: TaskPayload, exchange: DecodedExchange): boolean {
  return task.history?.length === historyLimitOf(exchange);
}

/**
 * The last message of the longer history that was shown before, where the task rests: it is finished or waits for the
 * client, has the same status as then, and nobody has asked anything of it since. A cut history has to end with it.
 */
function lastShown(
  payload: TaskPayload,
  exchange: DecodedExchange,
  conversation: Conversation,
): string | undefined {
  const { id, status, history } = payload.task;
  const { state, timestamp } = status;
  if (!isCut(payload, exchange) || !(isTerminal(state) || isInterrupted(state))) return undefined;
  const known = conversation.task(exchange.captured.edge.callee, id);
  const before = known?.observations.findLast(
    ({ kind, lastMessageId }) => kind === 'task' && lastMessageId !== undefined,
  );
  if (before === undefined || (before.historyLength ?? 0) <= (history?.length ?? 0)) return undefined;
  if (before.state !== state || before.timestamp !== timestamp) return undefined;
  const isAtRest = known?.actions.slice(-lastActions).every(({ atNs }) => atNs < before.atNs) === true;
  return isAtRest ? before.lastMessageId : undefined;
}

/** A message that was sent after the last known one, accepted, and answered before this request went out. */
function newerThan(
  last: KnownMessage,
  payload: TaskPayload,
  exchange: DecodedExchange,
  conversation: Conversation,
): string | undefined {
  const askedAtNs = exchange.captured.request.atNs;
  return actionsOf(payload, exchange, conversation).find(
    ({ messageId, accepted, atNs, answeredAtNs }) =>
      messageId !== undefined &&
      accepted &&
      atNs >= last.answeredAtNs &&
      answeredAtNs !== undefined &&
      answeredAtNs <= askedAtNs,
  )?.messageId;
}
