import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { itemsOf, memberFault } from './card-members.ts';
import { inCard } from './card-place.ts';

const main = { url: 'https://agent.example/a2a', transport: 'JSONRPC' };
const url = 'https://agent.example/rest';
const withInterface = (entry: Readonly<Record<string, string | number>>) =>
  getCard(v03.card({ additionalInterfaces: [main, entry] }));

export default defineRule({
  id: 'CARD-033',
  level: 'MUST',
  party: 'server',
  summary: 'Each additional interface of a 0.3 card has a URL and a transport.',
  spec: { '0.3': '5.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    missing: 'Additional interface {index} has no `{member}`',
    empty: '`{member}` of additional interface {index} is empty',
    form: '`{member}` of additional interface {index} is {found} instead of a string',
  },
  why: 'SDKs refuse the card, or pass over an interface that would have fitted.',
  fix: 'Set `url` and `transport` on every entry of `additionalInterfaces`.',
  examples: {
    good: [[getCard(v03.card())]],
    skip: [[getCard(v1.card())], [getCard(v03.card({ additionalInterfaces: undefined }))]],
    bad: [
      { example: [withInterface({ url })], messages: ['missing'] },
      { example: [withInterface({ url, transport: '' })], messages: ['empty'] },
      { example: [withInterface({ url: 80, transport: 'HTTP+JSON' })], messages: ['form'] },
    ],
  },
  when: ({ card }) => itemsOf(card.value, 'additionalInterfaces', '').length > 0,
  check: (subject, { report }) => {
    for (const { value, pointer } of itemsOf(subject.card.value, 'additionalInterfaces', ''))
      for (const member of ['url', 'transport']) {
        const fault = memberFault(value, member, 'text');
        if (fault === undefined) continue;
        report(fault, {
          data: { index: Number(pointer.split('/').at(-1)), member, found: value[member] },
          at: inCard(subject, `${pointer}/${member}`),
          expected: 'a string that is not empty',
          actual: value[member],
        });
      }
  },
});
