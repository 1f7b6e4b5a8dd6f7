import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';

const speaking = (protocolVersion: string) =>
  getCard(
    v1.card({
      supportedInterfaces: [
        { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion },
      ],
    }),
  );

export default defineRule({
  id: 'CARD-013',
  level: 'SHOULD',
  party: 'server',
  summary: 'The `protocolVersion` of an interface is `Major.Minor`, without a patch number.',
  spec: { '1.0': '3.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { form: 'The interface has the version {found} instead of Major.Minor' },
  why: 'Clients that compare the version as text with "1.0" pass over the interface, or send back a version that servers refuse.',
  fix: 'Write `1.0`: patch releases do not change what is on the wire.',
  examples: {
    good: [[getCard(v1.card())]],
    skip: [
      [getCard(v03.card())],
      // No version at all is the matter of other rules.
      [
        getCard(
          v1.card({
            supportedInterfaces: [
              { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '' },
            ],
          }),
        ),
      ],
    ],
    bad: [
      { example: [speaking('1.0.1')], messages: ['form'] },
      { example: [speaking('v1')], messages: ['form'] },
    ],
  },
  when: ({ card }) =>
    card.interfaces.some(({ rawVersion }) => typeof rawVersion === 'string' && rawVersion !== ''),
  check: (subject, { report }) => {
    for (const { rawVersion: found, pointer } of subject.card.interfaces) {
      if (typeof found !== 'string' || found === '' || /^\d{1,4}\.\d{1,4}$/.test(found)) continue;
      report('form', {
        data: { found },
        at: inCard(subject, `${pointer}/protocolVersion`),
        expected: 'Major.Minor',
        actual: found,
      });
    }
  },
});
