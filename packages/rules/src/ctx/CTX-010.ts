import type { ContextHistory, Sighting } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';

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
    skip: [
      [started],
      // The answer that named the context may be the one that was lost.
      [
        rpcStream({
          method: 'SubscribeToTask',
          params: { id: 'task-1' },
          events: [],
          raw: 'data: {',
          end: 'reset',
        }),
        rpc({ method: 'SendMessage', params: more, result: next }),
      ],
    ],
    bad: [
      {
        example: [rpc({ method: 'SendMessage', params: more, result: next })],
        messages: ['first'],
        outcomes: ['info'],
      },
    ],
  },
  when: (context, { conversation }) => {
    if (context.firstFromClient === undefined) return false;
    const naming = firstNaming(context);
    return naming !== undefined && conversation.gapBetween(0, naming.atNs) ? 'undecidable' : true;
  },
  check: (context, { report }) => {
    const { id } = context;
    const naming = firstNaming(context);
    if (naming === undefined) return;
    report('first', {
      outcome: 'info',
      exchange: naming.exchange,
      data: { context: id },
      at: { side: 'request', pointer: `${naming.pointer}/contextId` },
      expected: 'a context id that the agent made, or none',
      actual: id,
    });
  },
});

/** Where a client names the context before any answer does. */
function firstNaming({ firstFromClient: naming, firstFromServer }: ContextHistory): Sighting | undefined {
  if (naming === undefined || firstFromServer === undefined) return naming;
  return firstFromServer.atNs > naming.atNs ? naming : undefined;
}
