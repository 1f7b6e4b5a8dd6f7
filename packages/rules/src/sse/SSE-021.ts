import type { Payload } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, restError, restStream, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { answerTo, declared } from '../declared-capability.ts';
import { refusalOf } from '../refusal.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const post = { verb: 'POST', path: '/message:stream', body: params } as const;
const silent = getCard(v1.card({ capabilities: { pushNotifications: true } }));
const details = [v1.errorInfo('UNSUPPORTED_OPERATION')];
const unsupported = { code: -32004, message: 'This agent does not stream', data: details };

export default defineRule({
  id: 'SSE-021',
  level: 'MUST',
  party: 'server',
  summary:
    'An agent whose card does not declare streaming refuses both streaming operations with UnsupportedOperationError.',
  spec: { '1.0': '3.3.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendStreamingMessage', 'SubscribeToTask'],
  messages: {
    served: 'The agent streams, though its card does not declare `capabilities.streaming`',
    other: 'The agent does not declare streaming and refuses it with {found}',
    declared:
      'The agent declares `capabilities.streaming` and refuses a new message by UnsupportedOperationError',
  },
  why: 'Clients choose between streaming and polling by the card; where card and agent differ they choose wrong, and this error is what they fall back on.',
  fix: 'Declare what the agent does in `capabilities.streaming`, and answer UnsupportedOperationError (-32004) where it does not stream.',
  examples: {
    good: [
      [silent, rpc({ ...send, purpose: 'probe', error: unsupported })],
      [
        silent,
        rest({
          ...post,
          purpose: 'probe',
          status: 400,
          response: restError(400, 'FAILED_PRECONDITION', 'This agent does not stream', details),
        }),
      ],
      [getCard(v1.card()), rpcStream({ ...send, events: [{ message: v1.reply('hi') }] })],
    ],
    skip: [
      [rpcStream({ ...send, events: [{ message: v1.reply('hi') }] })],
      [silent, rpc({ method: 'SendMessage', params, result: { message: v1.reply('hi') } })],
    ],
    bad: [
      {
        example: [silent, restStream({ ...post, events: [{ message: v1.reply('hi') }] })],
        messages: ['served'],
      },
      {
        example: [silent, rpc({ ...send, error: { code: -32601, message: 'Method not found' } })],
        messages: ['other'],
      },
      { example: [getCard(v1.card()), rpc({ ...send, error: unsupported })], messages: ['declared'] },
      {
        example: [
          silent,
          rpc({
            ...send,
            error: {
              code: -32006,
              message: 'The agent failed',
              data: [v1.errorInfo('INVALID_AGENT_RESPONSE')],
            },
          }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const { operation } = exchange;
    if (operation !== 'SendStreamingMessage' && operation !== 'SubscribeToTask') return false;
    const answer = answerTo(exchange);
    const streaming = declared('streaming', exchange, conversation);
    if (answer === undefined || streaming === undefined) return false;
    // A finished task is another reason for this error, so of a declared capability only new messages say something.
    return !streaming || (operation === 'SendStreamingMessage' && !continuesTask(exchange.payloads));
  },
  check: (exchange, { conversation, report }) => {
    const found = answerTo(exchange);
    const streaming = declared('streaming', exchange, conversation);
    const at = { side: 'response', pointer: refusalOf(exchange)?.pointer ?? '' } as const;
    if (streaming === true) {
      if (found === 'UnsupportedOperationError')
        report('declared', { at, expected: 'a stream', actual: found });
    } else if (found !== 'UnsupportedOperationError')
      report(found === 'served' ? 'served' : 'other', {
        data: { found },
        at,
        expected: 'UnsupportedOperationError',
        actual: found,
      });
  },
});

/** A message to an existing task, which may refuse it for its own reasons. */
function continuesTask(payloads: readonly Payload[]): boolean {
  return payloads.some(
    (payload) =>
      payload.side === 'request' && payload.kind === 'message' && payload.message.taskId !== undefined,
  );
}
