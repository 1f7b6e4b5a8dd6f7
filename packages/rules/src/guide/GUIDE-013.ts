import type { DecodedExchange } from '@plugfest/a2a';
import type { ContextHistory, Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { sentMessage } from '../sent-message.ts';

const first = rpc({
  from: 'alice',
  method: 'SendMessage',
  params: { message: v1.message('hello') },
  result: { task: v1.task('COMPLETED') },
});
const second = { message: v1.message('what was said before?', { contextId: 'ctx-1' }) };

export default defineRule({
  id: 'GUIDE-013',
  level: 'INFO',
  party: 'server',
  summary: 'Knowing the id of a context is no permission to use it.',
  spec: {
    '0.2': 'Guide: Common mistakes, 3',
    '0.3': 'Guide: Common mistakes, 3',
    '1.0': 'Guide: Common mistakes, 3',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { shared: 'The agent lets {caller} into a context that it made for {owner}' },
  why: 'Whoever sees an id in a log reads what another user told the agent. Both may be allowed to, which the traffic does not show, so it is noted only.',
  fix: 'Check for every call whether its caller may use the context, the task and the artifacts that it names.',
  examples: {
    good: [
      [
        first,
        rpc({
          from: 'bob',
          method: 'SendMessage',
          params: second,
          error: { code: -32602, message: 'No such context' },
        }),
      ],
      [
        first,
        rest({
          from: 'bob',
          verb: 'POST',
          path: '/message:send',
          body: second,
          status: 403,
          response: restError(403, 'PERMISSION_DENIED', 'Not yours'),
        }),
      ],
    ],
    skip: [
      [first],
      [
        first,
        rpc({
          from: 'alice',
          method: 'SendMessage',
          params: second,
          result: { task: v1.task('COMPLETED', { id: 'task-2' }) },
        }),
      ],
    ],
    bad: [
      {
        example: [
          first,
          rpc({
            from: 'bob',
            method: 'SendMessage',
            params: second,
            result: { task: v1.task('COMPLETED', { id: 'task-2' }) },
          }),
        ],
        messages: ['shared'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    foreignContext(exchange, conversation) !== undefined &&
    (wasServed(exchange) || refusalOf(exchange) !== undefined),
  check: (exchange, { conversation, report }) => {
    const context = foreignContext(exchange, conversation);
    if (context === undefined || !wasServed(exchange)) return;
    report('shared', {
      data: {
        caller: exchange.captured.edge.caller,
        owner: context.firstFromServer?.exchange.edge.caller,
      },
      at: { side: 'request', pointer: `${sentMessage(exchange)?.pointer ?? ''}/contextId` },
      expected: 'a refusal, unless both may use it',
    });
  },
});

/** The context of the sent message, where the agent made it for another caller. */
function foreignContext(exchange: DecodedExchange, conversation: Conversation): ContextHistory | undefined {
  const { caller, callee } = exchange.captured.edge;
  const context = conversation.context(callee, sentMessage(exchange)?.message.contextId);
  const seen = context?.firstFromServer?.exchange;
  if (context === undefined || seen === undefined || seen.startNs >= exchange.captured.request.atNs)
    return undefined;
  // A webhook is called by the agent itself, and says nothing about whose context it is.
  if (seen.edge.kind === 'webhook') return undefined;
  const isOwner = seen.edge.caller === caller || context.firstFromClient?.exchange.edge.caller === caller;
  return isOwner ? undefined : context;
}
