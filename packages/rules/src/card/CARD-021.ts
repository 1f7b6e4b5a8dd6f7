import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { memberFault } from './card-members.ts';
import { inCard } from './card-place.ts';
import { mayBeOldest } from './undeclared-version.ts';

const provider = { organization: 'Example Ltd', url: 'https://example.org' };

const atOldPath = { url: 'https://agent.example/.well-known/agent.json' };
/** Nothing in the card tells 0.2 from 0.1. */
const undated = {
  protocolVersion: undefined,
  preferredTransport: undefined,
  additionalInterfaces: undefined,
};

export default defineRule({
  id: 'CARD-021',
  level: 'MUST',
  party: 'server',
  summary: 'A provider is named with its organisation and its URL.',
  spec: { '0.2': '5.5.1', '0.3': '5.5.1', '1.0': '4.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    missing: 'The provider has no `{member}`',
    empty: '`{member}` of the provider is empty',
    form: '`{member}` of the provider is {found} instead of a string',
  },
  why: 'Clients generated from the schema refuse the card, though the provider as a whole is optional. A card of unknown age may be of 0.1, where `url` was optional, so its absence is a warning there.',
  fix: 'Give both members, or leave `provider` out.',
  examples: {
    good: [[getCard(v1.card({ provider }))], [getCard(v03.card({ provider }))]],
    skip: [[getCard(v1.card())]],
    bad: [
      { example: [getCard(v1.card({ provider: { organization: 'Example Ltd' } }))], messages: ['missing'] },
      {
        example: [getCard(v03.card({ ...undated, provider: { organization: 'Example Ltd' } }), atOldPath)],
        messages: ['missing'],
        outcomes: ['warn'],
      },
      {
        example: [getCard(v03.card({ ...undated, provider: { url: 'https://example.org' } }), atOldPath)],
        messages: ['missing'],
      },
      { example: [getCard(v03.card({ provider: { ...provider, organization: '' } }))], messages: ['empty'] },
      { example: [getCard(v1.card({ provider: { ...provider, organization: '' } }))], messages: ['empty'] },
      { example: [getCard(v1.card({ provider: { ...provider, url: 7 } }))], messages: ['form'] },
      { example: [getCard(v03.card({ provider: { ...provider, url: 7 } }))], messages: ['form'] },
    ],
  },
  when: ({ card }) => isJsonObject(card.value.provider),
  check: (subject, { report }) => {
    const found = subject.card.value.provider;
    if (!isJsonObject(found)) return;
    for (const member of ['organization', 'url']) {
      const fault = memberFault(found, member, 'text');
      if (fault !== undefined)
        report(fault, {
          data: { member, found: found[member] },
          at: inCard(subject, `/provider/${member}`),
          ...(member === 'url' && mayBeOldest(subject.card) ? { outcome: 'warn' as const } : {}),
          expected: 'a string that is not empty',
          actual: found[member],
        });
    }
  },
});
