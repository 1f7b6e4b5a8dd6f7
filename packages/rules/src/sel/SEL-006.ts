import type { CardInterface, DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, grpc, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { calledInterfacesSeen } from '../called-interface.ts';
import { onceForShared } from '../last-exchange.ts';
import { announcedVersion, declaredVersion } from '../major-minor.ts';

/** Versions declared for the interface that is called; none where one of them cannot be read, for which the card is to blame. */
const declaredFor = (exchange: DecodedExchange, conversation: Conversation): readonly string[] =>
  versionsOf(calledInterfacesSeen(exchange, conversation));

const versionsOf = onceForShared((entries: readonly CardInterface[]): readonly string[] => {
  const versions: string[] = [];
  for (const entry of entries) {
    const version = declaredVersion(entry);
    if (version === undefined) return none;
    if (!versions.includes(version)) versions.push(version);
  }
  return versions;
});

const none: readonly string[] = [];

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;

/** A card that declares these versions at one URL. */
const versions = (...declared: readonly string[]) =>
  getCard(
    v1.card({
      supportedInterfaces: declared.map((protocolVersion) => ({
        url: 'https://agent.example/a2a',
        protocolBinding: 'JSONRPC',
        protocolVersion,
      })),
    }),
  );
const with03 = (transport: string, url: string) =>
  getCard(
    v03.card({
      additionalInterfaces: [
        { url: 'https://agent.example/a2a', transport: 'JSONRPC' },
        { url, transport },
      ],
    }),
  );

export default defineRule({
  id: 'SEL-006',
  level: 'MUST',
  party: 'client',
  summary: 'The version that a client announces is that of the interface it calls.',
  spec: { '1.0': '3.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { other: 'The client announces version {found}; the card declares {declared} at this URL' },
  why: 'The agent reads the call by the rules of another version or refuses it, though it has an interface that both speak.',
  fix: 'Choose an interface of a version that the client speaks, and send its `protocolVersion`, without patch, as `A2A-Version`.',
  examples: {
    good: [
      [getCard(v1.card()), rpc({ ...get, result: v1.task('WORKING') })],
      [getCard(v1.card()), rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    skip: [
      [rpc({ ...get, result: v1.task('WORKING') })],
      [
        getCard(v1.card()),
        rpc({ ...get, headers: { 'A2A-Version': undefined }, result: v1.task('WORKING') }),
      ],
      // Nobody can say what `next` is.
      [versions('0.3', 'next'), rpc({ ...get, result: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [
          with03('HTTP+JSON', 'https://agent.example/rest'),
          rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') }),
        ],
        messages: ['other'],
      },
      {
        example: [
          with03('HTTP+JSON', 'https://agent.example/rest'),
          rest({
            verb: 'GET',
            path: '/tasks/task-1?A2A-Version=1.0',
            headers: { 'A2A-Version': undefined },
            response: v1.task('WORKING'),
          }),
        ],
        messages: ['other'],
      },
      {
        example: [versions('0.3', '0.2.6'), rpc({ ...get, result: v1.task('WORKING') })],
        messages: ['other'],
      },
      {
        example: [
          with03('GRPC', 'https://agent.example:443'),
          grpc({ method: 'GetTask', request: { id: 'task-1' }, response: v1.task('WORKING') }),
        ],
        messages: ['other'],
      },
      {
        example: [getCard(v03.card()), rpc({ ...get, error: { code: -32601, message: 'Method not found' } })],
        messages: ['other'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    announcedVersion(exchange) !== undefined && declaredFor(exchange, conversation).length > 0,
  check: (exchange, { conversation, report }) => {
    const { a2aVersion, a2aVersionFrom } = exchange.request;
    const declared = declaredFor(exchange, conversation);
    const announced = announcedVersion(exchange);
    if (declared.some((version) => version === announced)) return;
    report('other', {
      data: { found: a2aVersion, declared: declared.join(', ') },
      at: { side: 'request', ...(a2aVersionFrom === 'header' ? { header: 'A2A-Version' } : {}) },
      expected: declared.join(', '),
      actual: a2aVersion,
    });
  },
});
