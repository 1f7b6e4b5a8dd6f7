import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';

/** Flags that stood for the extended card before 1.0. */
const legacyFlags = ['supportsAuthenticatedExtendedCard', 'supportsExtendedAgentCard'] as const;

export default defineRule({
  id: 'CARD-040',
  level: 'MUST',
  party: 'server',
  summary: 'A 1.0 card declares its extended card in `capabilities.extendedAgentCard`.',
  spec: { '1.0': 'A.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { legacyOnly: 'The extended card is declared in `{flag}` only, as before 1.0' },
  why: 'A 1.0 client looks at the capability and never asks. (A card that serves 0.3 clients too may mean only them, so this is a warning.)',
  fix: 'Set `capabilities.extendedAgentCard` to true.',
  examples: {
    good: [
      [
        getCard(
          v1.card({ capabilities: { extendedAgentCard: true }, supportsAuthenticatedExtendedCard: true }),
        ),
      ],
    ],
    skip: [
      [getCard(v1.card())],
      [getCard(v03.card({ supportsAuthenticatedExtendedCard: true }))],
      [getCard(v1.card({ supportsAuthenticatedExtendedCard: false }))],
    ],
    bad: [
      { example: [getCard(v1.card({ supportsAuthenticatedExtendedCard: true }))], messages: ['legacyOnly'] },
    ],
  },
  when: ({ card }) => legacyFlags.some((flag) => card.value[flag] === true),
  check: (subject, { report }) => {
    if (subject.card.extendedCard) return;
    const flag = legacyFlags.find((name) => subject.card.value[name] === true);
    report('legacyOnly', {
      data: { flag },
      at: inCard(subject, `/${flag}`),
      outcome: 'warn',
      expected: 'capabilities.extendedAgentCard',
    });
  },
});
