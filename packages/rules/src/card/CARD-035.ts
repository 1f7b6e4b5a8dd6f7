import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';

const also = (transport: string, url = 'https://agent.example/a2a') =>
  getCard(
    v03.card({
      additionalInterfaces: [
        { url: 'https://agent.example/a2a', transport: 'JSONRPC' },
        { url, transport },
      ],
    }),
  );

export default defineRule({
  id: 'CARD-035',
  level: 'MUST',
  party: 'server',
  summary: 'A 0.3 card declares one transport for one URL.',
  spec: { '0.3': '5.6.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { conflict: 'The card declares {url} for {transports}' },
  why: 'A client cannot tell which transport the URL really speaks. The specification both forbids it (5.6.4) and allows one endpoint for several transports (5.6.2), so this is a warning.',
  fix: 'Give each transport a URL of its own.',
  examples: {
    good: [[getCard(v03.card())], [also('HTTP+JSON', 'https://agent.example/rest')]],
    skip: [[getCard(v1.card())], [getCard(v03.card({ additionalInterfaces: undefined }))]],
    bad: [{ example: [also('GRPC')], messages: ['conflict'] }],
  },
  when: ({ card }) => card.interfaces.length > 1,
  check: (subject, { report }) => {
    const transports = new Map<string, Set<string>>();
    for (const { url, binding, rawBinding } of subject.card.interfaces) {
      const name = binding ?? (typeof rawBinding === 'string' ? rawBinding : undefined);
      if (url === undefined || name === undefined) continue;
      const known = transports.get(url) ?? new Set();
      transports.set(url, known.add(name));
    }
    for (const [url, names] of transports)
      if (names.size > 1)
        report('conflict', {
          data: { url, transports: [...names].join(' and ') },
          at: inCard(subject, '/additionalInterfaces'),
          outcome: 'warn',
          expected: 'one transport',
          actual: [...names].join(', '),
        });
  },
});
