import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { itemsOf, memberFault } from './card-members.ts';
import { inCard } from './card-place.ts';

const required = ['url', 'protocolBinding', 'protocolVersion'] as const;
const interfaces = (entry: Readonly<Record<string, string | number>>) => ({ supportedInterfaces: [entry] });
const url = 'https://agent.example/a2a';

export default defineRule({
  id: 'CARD-009',
  level: 'MUST',
  party: 'server',
  summary: 'Each interface of a card names its URL, its binding and its protocol version.',
  spec: { '1.0': '4.4.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    missing: 'Interface {index} has no `{member}`',
    empty: '`{member}` of interface {index} is empty',
    form: '`{member}` of interface {index} is {found} instead of a string',
  },
  why: 'Clients skip such an interface; where only the version is missing they take it for 0.3 and speak the wrong dialect.',
  fix: 'Set `url`, `protocolBinding` and `protocolVersion` on every entry of `supportedInterfaces`.',
  examples: {
    good: [[getCard(v1.card())]],
    skip: [[getCard(v03.card())], [getCard(v1.card({ supportedInterfaces: [] }))]],
    bad: [
      { example: [getCard(v1.card(interfaces({ url, protocolBinding: 'JSONRPC' })))], messages: ['missing'] },
      {
        example: [
          getCard(v1.card(interfaces({ url: '', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }))),
        ],
        messages: ['empty'],
      },
      {
        example: [getCard(v1.card(interfaces({ url, protocolBinding: 'JSONRPC', protocolVersion: 1 })))],
        messages: ['form'],
      },
    ],
  },
  when: ({ card }) => itemsOf(card.value, 'supportedInterfaces', '').length > 0,
  check: (subject, { report }) => {
    for (const { value, pointer } of itemsOf(subject.card.value, 'supportedInterfaces', ''))
      for (const member of required) {
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
