import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, restV03, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { goesTo } from '../called-interface.ts';
import { cardsNow } from '../declared-interfaces.ts';
import { isOnLaterPath } from '../rest/later-path.ts';
import { answeredByWebServer } from './not-grpc.ts';
import { strangeAnswer } from './strange-answer.ts';

/** A `/v1` that is missing in the path is the client's (REST-010). */
const isMain = (exchange: DecodedExchange, conversation: Conversation): boolean =>
  !isOnLaterPath(exchange) &&
  cardsNow(conversation, exchange.captured.edge.callee).some(
    ({ card }) =>
      card.version === '0.3' &&
      card.interfaces.some((entry) => entry.pointer === '' && goesTo(exchange, entry)),
  );

const card = getCard(v03.card());
const get = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'CARD-032',
  level: 'MUST',
  party: 'server',
  summary: 'The main URL of a 0.3 card speaks the transport named in `preferredTransport`.',
  spec: { '0.3': '5.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    absent:
      'The card prefers {binding} at this URL, but {path} is answered with HTTP {status} and nothing of A2A',
  },
  why: 'Clients that support the preferred transport use the main URL and fail, though another interface may work.',
  fix: 'Let `url` and `preferredTransport` name what is really served there.',
  examples: {
    good: [[card, rpc({ ...get, result: v03.task('working') })]],
    skip: [
      [rpc({ ...get, status: 404, responseText: '' })],
      [
        getCard(
          v03.card({
            url: 'https://agent.example/rest',
            preferredTransport: 'HTTP+JSON',
            additionalInterfaces: undefined,
          }),
        ),
        restV03({
          verb: 'POST',
          path: '/rest/message:send',
          headers: { 'A2A-Version': '0.3' },
          body: { message: { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'hello' }] } },
          status: 404,
          response: { detail: 'Not Found' },
        }),
      ],
      [getCard(v1.card()), rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [
          getCard(
            v03.card({
              url: 'https://agent.example/rest',
              preferredTransport: 'HTTP+JSON',
              additionalInterfaces: undefined,
            }),
          ),
          restV03({
            verb: 'POST',
            path: '/v1/message:send',
            body: { message: { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'hello' }] } },
            status: 404,
            response: { detail: 'Not Found' },
          }),
        ],
        messages: ['absent'],
      },
      {
        example: [
          getCard(
            v03.card({
              url: 'https://agent.example:443',
              preferredTransport: 'GRPC',
              additionalInterfaces: undefined,
            }),
          ),
          answeredByWebServer('0.3'),
        ],
        messages: ['absent'],
      },
      {
        example: [card, rpc({ ...get, status: 404, responseBody: { detail: 'Not Found' } })],
        messages: ['absent'],
      },
    ],
  },
  when: (exchange, { conversation }) => exchange.response !== undefined && isMain(exchange, conversation),
  check: (exchange, { report }) => {
    const status = strangeAnswer(exchange);
    if (status === undefined) return;
    report('absent', {
      data: { binding: exchange.dialect.binding, path: exchange.request.path, status },
      at: { side: 'response' },
      expected: 'an answer in the preferred transport',
      actual: status,
    });
  },
});
