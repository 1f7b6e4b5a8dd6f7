import type { DecodedExchange } from '@plugfest/a2a';
import type { ProtocolVersion } from '@plugfest/model';
import type { CardSighting, Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, grpcError, restV03, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { cardsSeenByCaller } from '../seen-by-caller.ts';

const call = {
  version: '0.3',
  method: 'message/send',
  params: { message: v03.message('hello') },
} as const;
const unknown = { code: -32601, message: 'Method not found' };

export default defineRule({
  id: 'GUIDE-007',
  level: 'SHOULD',
  party: 'client',
  summary: 'An agent whose card declares only 1.0 is not called in an older form.',
  spec: {
    '0.1': 'Guide: Common mistakes, 14',
    '0.2': 'Guide: Common mistakes, 14',
    '0.3': 'Guide: Common mistakes, 14',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    older: 'The call has the form of {version}, and the card that the client fetched declares only 1.0',
  },
  why: 'Names, enums and wrappers all changed with 1.0: the agent refuses the call, or reads half of it.',
  fix: 'Choose an interface of the card whose `protocolVersion` the client speaks, and use the SDK of that version; where there is none, do not call.',
  examples: {
    good: [
      [getCard(v03.card()), rpc({ ...call, result: v03.task('completed') })],
      [
        getCard(v03.card()),
        rpc({ ...call, headers: { 'A2A-Version': '0.2' }, result: v03.task('completed') }),
      ],
      [
        getCard(
          v03.card({
            preferredTransport: 'HTTP+JSON',
            url: 'https://agent.example/rest',
            additionalInterfaces: [{ url: 'https://agent.example/rest', transport: 'HTTP+JSON' }],
          }),
        ),
        restV03({ verb: 'GET', path: '/v1/tasks/task-1', response: v03.task('working') }),
      ],
    ],
    skip: [
      [rpc({ ...call, result: v03.task('completed') })],
      [
        getCard(v1.card()),
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      { example: [getCard(v1.card()), rpc({ ...call, error: unknown })], messages: ['older'] },
      {
        example: [getCard(v1.card()), rpc({ ...call, headers: { 'A2A-Version': '0.2' }, error: unknown })],
        messages: ['older'],
      },
      {
        example: [
          getCard(v1.card()),
          rpc({
            version: '0.3',
            method: 'tasks/sendSubscribe',
            params: { id: 'task-1', message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] } },
            error: unknown,
          }),
        ],
        messages: ['older'],
      },
      {
        example: [
          getCard(v1.card()),
          restV03({
            verb: 'GET',
            path: '/v1/tasks/task-1',
            status: 404,
            response: { error: 'Not found' },
          }),
        ],
        messages: ['older'],
      },
      {
        example: [
          getCard(v1.card()),
          grpcError({
            version: '0.3',
            method: 'GetTask',
            request: { name: 'tasks/task-1' },
            status: 'UNIMPLEMENTED',
            message: 'unknown service',
          }),
        ],
        messages: ['older'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    exchange.operation !== undefined &&
    exchange.decidedBy !== 'default' &&
    exchange.decidedBy !== 'peer' &&
    publicCards(exchange, conversation).length > 0,
  check: (exchange, { conversation, report }) => {
    if (publicCards(exchange, conversation).some(({ card }) => declaresOlder(card))) return;
    report('older', {
      data: { version: exchange.dialect?.version },
      at: { side: 'request' },
      expected: 'a call of 1.0',
      actual: exchange.wireMethod,
    });
  },
});

const older: ReadonlySet<ProtocolVersion | undefined> = new Set(['0.1', '0.2', '0.3']);

/** An interface whose version cannot be read may be anything. */
const declaresOlder = ({ version, interfaces, legacyInterfaces }: CardSighting['card']): boolean =>
  version !== '1.0' ||
  legacyInterfaces.length > 0 ||
  interfaces.some((entry) => entry.version === undefined || older.has(entry.version));

const publicCards = (exchange: DecodedExchange, conversation: Conversation): readonly CardSighting[] =>
  cardsSeenByCaller(exchange, conversation).filter(({ extended }) => !extended);
