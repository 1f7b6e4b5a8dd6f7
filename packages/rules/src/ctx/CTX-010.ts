import type { ContextHistory } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';

const started = rpc({
  method: 'SendMessage',
  params: { message: v1.message('a flight') },
  result: { task: v1.task('COMPLETED') },
});
const more = { message: v1.message('and a hotel', { contextId: 'ctx-1', referenceTaskIds: ['task-1'] }) };
const next = { task: v1.task('COMPLETED', { id: 'task-2' }) };

export default defineRule({
  id: 'CTX-010',
  level: 'SHOULD',
  party: 'client',
  summary: 'A context that a client names is one that the agent named before.',
  spec: { '1.0': '3.4.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'context',
  messages: { first: 'The client names context {context} before the agent does' },
  why: 'Agents may refuse contexts that are not theirs, and clients that count theirs meet those of others. The context may be older than the capture, or agreed on with the agent, so this is for information.',
  fix: 'Send no `contextId` with the first message, and the one of the answer with those that follow.',
  examples: {
    good: [
      [started, rpc({ method: 'SendMessage', params: more, result: next })],
      [started, rest({ verb: 'POST', path: '/message:send', body: more, response: next })],
    ],
    skip: [[started]],
    bad: [
      {
        example: [rpc({ method: 'SendMessage', params: more, result: next })],
        messages: ['first'],
        outcomes: ['info'],
      },
    ],
  },
  when: (context, { conversation }) => {
    const { firstFromClient } = context;
    if (firstFromClient === undefined) return false;
    return isFirst(context) && conversation.gapBetween(0, firstFromClient.atNs) ? 'undecidable' : true;
  },
  check: (context, { report }) => {
    const { id, firstFromClient } = context;
    if (firstFromClient === undefined || !isFirst(context)) return;
    report('first', {
      outcome: 'info',
      exchange: firstFromClient.exchange,
      data: { context: id },
      at: { side: 'request', pointer: `${firstFromClient.pointer}/contextId` },
      expected: 'a context id that the agent made, or none',
      actual: id,
    });
  },
});

/** The client names the context before any answer does. */
const isFirst = ({ firstFromClient, firstFromServer }: ContextHistory): boolean =>
  firstFromClient !== undefined &&
  (firstFromServer === undefined || firstFromServer.atNs > firstFromClient.atNs);
