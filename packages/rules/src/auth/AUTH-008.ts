import type { DecodedExchange, MessageView } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { sentMessage } from '../sent-message.ts';
import { mayBeInBand } from './in-band.ts';
import { hasText, secretsIn } from './secret-text.ts';

const send = (text: string) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message('hello', { parts: [{ text }] }) },
    result: { task: v1.task('COMPLETED') },
  });
const post = (text: string) =>
  rest({
    verb: 'POST',
    path: '/message:send',
    body: { message: v1.message('hello', { parts: [{ text }] }) },
    response: { task: v1.task('COMPLETED') },
  });
const send03 = (text: string) =>
  rpc({
    version: '0.3',
    method: 'message/send',
    params: { message: v03.message('hello', { parts: [{ kind: 'text', text }] }) },
    result: v03.task('completed'),
  });

/** Put together here, so that no scanner takes this file for a leak. */
const words = {
  token: [`eyJ${'hbGciOiJ'.repeat(2)}`, `eyJ${'zdWIiOiJ'.repeat(2)}`, 'c2lnbmF0dXJlLW9mLW5vYm9keQ'].join('.'),
  apiKey: `${'sk'}-${'abc123'.repeat(5)}`,
  github: `${'ghp'}_${'abc123'.repeat(6)}`,
  aws: `${'AKIA'}${'ABCDEFGH'.repeat(2)}`,
  google: `${'AIza'}${'abc12'.repeat(7)}`,
  slack: `${'xoxb'}-${'abc123'.repeat(4)}`,
};

export default defineRule({
  id: 'AUTH-008',
  level: 'MUST',
  party: 'client',
  summary: 'Messages hold no credentials.',
  spec: { '0.1': '4', '0.2': '4', '0.3': '4', '1.0': '7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { secret: 'The text of the message holds {what}' },
  why: 'Messages are kept in histories, logs and the contexts of models, and handed on to other agents: whoever sees one of them has the credential. Only a topic page forbids it in so many words, and a text may show an example, so this is a warning.',
  fix: 'Send credentials in HTTP headers only, and let the user authorise an agent out of band where it needs more.',
  examples: {
    good: [
      [send('Book a flight for 12 May')],
      [send03('I forgot my password, is it the same as before?')],
      // Words that only look like one, and values that are none.
      [send(`The commit is ${'4bf92f35'.repeat(5)}, the ticket task-${words.apiKey}`)],
      [send('The password is required')],
      [send('Set api_key=your_key_1')],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [send('')],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello', { parts: [{ data: { password: 'correct-horse-7' } }] }) },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
      // Client and agent may have agreed on it.
      [
        rpc({
          method: 'SendMessage',
          params: {
            message: v1.message('password: correct-horse-7', {
              extensions: ['https://ext.example/login/v1'],
            }),
          },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      {
        example: [send('Log in with password: correct-horse-7')],
        messages: ['secret'],
        outcomes: ['warn'],
      },
      { example: [post('Use Bearer abcdefghijklmnopqrstuvwxyz0123')], messages: ['secret'] },
      { example: [send03('Use api_key=abc123def456')], messages: ['secret'] },
      ...Object.values(words).map((word) => ({
        example: [send(`Here it is: ${word}...`)],
        messages: ['secret'] as const,
      })),
      { example: [send(`${'-----BEGIN'} EC PRIVATE KEY-----`)], messages: ['secret'] },
    ],
  },
  when: (exchange) => {
    const message = judgedMessage(exchange);
    return message !== undefined && hasText(message.parts);
  },
  check: (exchange, { report }) => {
    for (const { what, pointer } of secretsIn(judgedMessage(exchange)?.parts ?? []))
      report('secret', {
        outcome: 'warn',
        data: { what },
        at: { side: 'request', pointer },
        expected: 'credentials in headers',
      });
  },
});

function judgedMessage(exchange: DecodedExchange): MessageView | undefined {
  const message = sentMessage(exchange)?.message;
  return message === undefined || mayBeInBand(exchange, message) ? undefined : message;
}
