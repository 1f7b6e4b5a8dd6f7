import { bindingOf } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';

const bound = (protocolBinding: string) =>
  getCard(
    v1.card({
      supportedInterfaces: [{ url: 'https://agent.example/a2a', protocolBinding, protocolVersion: '1.0' }],
    }),
  );

const core: ReadonlySet<string> = new Set(['JSONRPC', 'GRPC', 'HTTP+JSON']);

export default defineRule({
  id: 'CARD-012',
  level: 'SHOULD',
  party: 'server',
  summary:
    '`protocolBinding` is `JSONRPC`, `GRPC` or `HTTP+JSON` to the letter, and a URI for any other binding.',
  spec: { '1.0': '5.8' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    spelling: 'The binding is spelled {found} instead of {expected}',
    custom: 'The custom binding {found} is named by no URI',
  },
  why: 'Clients compare the name letter by letter and pass over an interface that they do not recognise.',
  fix: 'Use the names of the core bindings as they are, and a URI of your own for a custom binding.',
  examples: {
    good: [[getCard(v1.card())], [bound('https://bindings.example/websocket/v1')], [bound('urn:example:ws')]],
    skip: [
      [getCard(v03.card())],
      // No name at all is the matter of other rules.
      [
        getCard(
          v1.card({
            supportedInterfaces: [
              { url: 'https://agent.example/a2a', protocolBinding: '', protocolVersion: '1.0' },
            ],
          }),
        ),
      ],
      [
        getCard(
          v1.card({
            supportedInterfaces: [
              { url: 'https://agent.example/a2a', protocolBinding: 7, protocolVersion: '1.0' },
            ],
          }),
        ),
      ],
    ],
    bad: [
      { example: [bound('jsonrpc')], messages: ['spelling'] },
      { example: [bound('WEBSOCKET')], messages: ['custom'] },
    ],
  },
  when: ({ card }) =>
    card.interfaces.some(({ rawBinding }) => typeof rawBinding === 'string' && rawBinding !== ''),
  check: (subject, { report }) => {
    for (const { rawBinding: found, pointer } of subject.card.interfaces) {
      if (typeof found !== 'string' || found === '' || core.has(found)) continue;
      const expected = bindingOf(found);
      const at = inCard(subject, `${pointer}/protocolBinding`);
      if (expected !== undefined)
        report('spelling', { data: { found, expected }, at, expected, actual: found });
      else if (!/^[A-Za-z][A-Za-z0-9+.-]*:\S/.test(found))
        report('custom', { data: { found }, at, expected: 'a URI', actual: found });
    }
  },
});
