import type { DecodedExchange, ErrorView } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, unanswered, v1 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';

const params = { message: v1.message('hello') };
const result = { task: v1.task('COMPLETED') };
const send = { method: 'SendMessage', params } as const;
const [first, second] = [
  { from: 'client', to: 'middle' },
  { from: 'middle', to: 'agent' },
] as const;
const unsupported = {
  code: -32005,
  message: 'No such content type',
  data: [v1.errorInfo('CONTENT_TYPE_NOT_SUPPORTED')],
};
const notFound = { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] };
const internal = { code: -32603, message: 'Internal error' };

export default defineRule({
  id: 'HDR-009',
  level: 'SHOULD',
  party: 'client',
  summary: 'Whoever hands a message on hands back what the agent answers.',
  spec: { '0.2': '7.1', '0.3': '7.1', '1.0': '3.1.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    swallowed: 'The agent serves the message, and its sender gets {given} from the gateway',
    replaced: 'The agent refuses the message with {found}, and its sender gets {given} from the gateway',
  },
  why: 'The sender takes the agent for broken, or sends the message again, and the work is done twice. No section speaks of gateways, so it is a warning.',
  fix: 'Pass results and errors of the agent through; answer with an error of your own only where the agent gives no answer.',
  examples: {
    good: [
      [rpc({ ...send, ...first, result }), rpc({ ...send, ...second, result })],
      [
        rpc({ ...send, ...first, result }),
        rest({ verb: 'POST', path: '/message:send', body: params, response: result, ...second }),
      ],
      [rpc({ ...send, ...first, error: notFound }), rpc({ ...send, ...second, error: notFound })],
    ],
    skip: [
      [rpc({ ...send, ...first, error: internal })],
      // Another agent may have answered in its place.
      [rpc({ ...send, ...first, result }), rpc({ ...send, ...second, error: notFound })],
      // An error without a name may stand for any other.
      [
        rpc({ ...send, ...first, error: { code: -32099, message: 'No' } }),
        rpc({ ...send, ...second, error: notFound }),
      ],
      [rpc({ ...send, ...first, error: internal }), unanswered(rpc({ ...send, ...second }))],
    ],
    bad: [
      {
        example: [rpc({ ...send, ...first, error: internal }), rpc({ ...send, ...second, result })],
        messages: ['swallowed'],
      },
      {
        example: [
          rpc({ ...send, ...first, error: { message: 'Internal error' } }),
          rpc({ ...send, ...second, result }),
        ],
        messages: ['swallowed'],
      },
      {
        example: [
          rpc({ ...send, ...first, error: unsupported }),
          rpc({ ...send, ...second, error: notFound }),
        ],
        messages: ['replaced'],
      },
    ],
  },
  when: (exchange, { conversation }) => answersOf(exchange, conversation) !== undefined,
  check: (exchange, { conversation, report }) => {
    const { given, found } = answersOf(exchange, conversation) ?? {};
    if (given === undefined || (found !== undefined && (found.name ?? given.name) === given.name)) return;
    report(found === undefined ? 'swallowed' : 'replaced', {
      data: { given: titleOf(given), found: found && titleOf(found) },
      at: { side: 'response', pointer: found?.pointer ?? '' },
      expected: found === undefined ? 'the result' : titleOf(found),
      actual: titleOf(given),
    });
  },
});

const titleOf = ({ name, code }: ErrorView): string => name ?? `an error ${code ?? 'without code'}`;

/** What the sender of a message got that was handed on, and what the agent had answered; nothing where one is not known. */
function answersOf(
  exchange: DecodedExchange,
  conversation: Conversation,
): { readonly given: ErrorView | undefined; readonly found: ErrorView | undefined } | undefined {
  const before = conversation.handedOn(exchange);
  if (before === undefined) return undefined;
  const { answeredAtNs, error: given } = before;
  // Whoever gave up waiting could not know what the agent would say.
  const saidAtNs = exchange.captured.response?.atNs ?? Infinity;
  if ((answeredAtNs ?? Infinity) < saidAtNs) return undefined;
  const found = refusalOf(exchange);
  if (found === undefined) return wasServed(exchange) ? { given, found } : undefined;
  return given !== undefined && given.name !== undefined && concernsOperation(found)
    ? { given, found }
    : undefined;
}
