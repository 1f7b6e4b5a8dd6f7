import type { CardInterface, DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { goesTo } from '../called-interface.ts';
import { majorMinor } from '../major-minor.ts';
import { interfacesSeenByCaller } from '../seen-by-caller.ts';

/** The declared interfaces that the call goes to. */
const inUse = (exchange: DecodedExchange, conversation: Conversation): readonly CardInterface[] =>
  interfacesSeenByCaller(exchange, conversation).filter((entry) => goesTo(exchange, entry));

/** An interface without a version counts as 0.3 (section 3.6.2). */
const versionOfEntry = ({ rawVersion, version }: CardInterface): string =>
  majorMinor(rawVersion) ?? version ?? '0.3';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'SEL-006',
  level: 'MUST',
  party: 'client',
  summary: 'The version that a client announces is that of the interface it calls.',
  spec: { '1.0': '3.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
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
    ],
    bad: [
      {
        example: [getCard(v03.card()), rpc({ ...get, error: { code: -32601, message: 'Method not found' } })],
        messages: ['other'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    majorMinor(exchange.request.a2aVersion) !== undefined && inUse(exchange, conversation).length > 0,
  check: (exchange, { conversation, report }) => {
    const { a2aVersion, a2aVersionFrom } = exchange.request;
    const declared = [...new Set(inUse(exchange, conversation).map(versionOfEntry))];
    if (declared.includes(majorMinor(a2aVersion) ?? '')) return;
    report('other', {
      data: { found: a2aVersion, declared: declared.join(', ') },
      at: { side: 'request', ...(a2aVersionFrom === 'header' ? { header: 'A2A-Version' } : {}) },
      expected: declared.join(', '),
      actual: a2aVersion,
    });
  },
});
