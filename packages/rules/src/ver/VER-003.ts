import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, grpc, grpcError, rest, restError, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { cardsNow } from '../declared-interfaces.ts';
import { refusalOf, wasServed } from '../refusal.ts';
import { shownDialect } from './shown-dialect.ts';

const saysNoVersion = ({ request }: DecodedExchange): boolean => (request.a2aVersion ?? '').trim() === '';

/** A card that lists the interfaces of 0.3, too. */
const card = getCard(
  v1.card({
    supportedInterfaces: ['1.0', '0.3'].flatMap((protocolVersion) => [
      { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion },
      { url: 'https://agent.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion },
      { url: 'agent.example:443', protocolBinding: 'GRPC', protocolVersion },
    ]),
  }),
);
const without = { headers: { 'A2A-Version': undefined }, purpose: 'probe' } as const;
const older = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' } } as const;
const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const getOverRest = { verb: 'GET', path: '/tasks/task-1' } as const;
const getOverGrpc = {
  method: 'GetTask',
  request: { id: 'task-1' },
  metadata: { 'a2a-version': undefined },
  purpose: 'probe',
} as const;
const unsupported = restError(400, 'FAILED_PRECONDITION', 'Version not supported', [
  v1.errorInfo('VERSION_NOT_SUPPORTED'),
]);

export default defineRule({
  id: 'VER-003',
  level: 'MUST',
  party: 'server',
  summary: 'An agent that speaks 1.0 takes a request without version for one of 0.3.',
  spec: { '0.3': '3.6.2 of 1.0', '1.0': '3.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  // The objects of the 0.3 proto, over gRPC and in one form of HTTP+JSON, have the states of 1.0.
  fewerBindings: { '0.3': ['JSONRPC'] },
  scope: 'exchange',
  messages: {
    guessed: 'The request has no version, and yet the agent serves it as 1.0',
    shape: 'The request of 0.3 has no version and is answered in the shapes of 1.0',
  },
  why: 'A client of 0.3 cannot read what comes back; and a 1.0 client that forgot the header works here and nowhere else. (Test suites disagree about the latter, so it is a warning.)',
  fix: 'Read an absent or empty `A2A-Version` as 0.3: answer in its shapes, or refuse with VersionNotSupportedError.',
  where: { guessed: { versions: ['1.0'] }, shape: { versions: ['0.3'] } },
  examples: {
    good: [
      [card, rpc({ ...older, result: v03.task('working') })],
      [card, rpc({ ...get, ...without, error: { code: -32601, message: 'Method not found' } })],
      [card, rest({ ...getOverRest, ...without, status: 400, response: unsupported })],
      [
        card,
        grpcError({
          ...getOverGrpc,
          status: 'FAILED_PRECONDITION',
          message: 'Version not supported',
          details: [v1.errorInfo('VERSION_NOT_SUPPORTED')],
        }),
      ],
    ],
    skip: [
      [card, rpc({ ...get, result: v1.task('WORKING') })],
      [rpc({ ...older, result: v03.task('working') })],
    ],
    bad: [
      { example: [rpc({ ...get, ...without, result: v1.task('WORKING') })], messages: ['guessed'] },
      {
        example: [rest({ ...getOverRest, ...without, response: v1.task('WORKING') })],
        messages: ['guessed'],
      },
      { example: [grpc({ ...getOverGrpc, response: v1.task('WORKING') })], messages: ['guessed'] },
      { example: [card, rpc({ ...older, result: v1.task('WORKING') })], messages: ['shape'] },
    ],
  },
  when: (exchange, { conversation }) => {
    if (!saysNoVersion(exchange)) return false;
    if (!wasServed(exchange) && refusalOf(exchange) === undefined) return false;
    if (exchange.dialect?.version === '1.0') return true;
    return cardsNow(conversation, exchange.captured.edge.callee).some(
      ({ card: seen }) => seen.version === '1.0',
    );
  },
  check: (exchange, { report }) => {
    if (!wasServed(exchange)) return;
    if (exchange.dialect?.version === '1.0') {
      report('guessed', {
        at: { side: 'response', pointer: '' },
        outcome: 'warn',
        expected: '0.3, or VersionNotSupportedError',
      });
      return;
    }
    const modern = exchange.payloads.find(
      (payload) => payload.side === 'response' && shownDialect(payload) === '1.0',
    );
    if (modern === undefined) return;
    const { event, pointer } = modern;
    report('shape', {
      at: { side: 'response', pointer, ...(event === undefined ? {} : { event }) },
      expected: 'the shapes of 0.3',
    });
  },
});
