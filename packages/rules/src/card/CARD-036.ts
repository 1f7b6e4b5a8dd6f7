import { bindingOf } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';

const main = { url: 'https://agent.example/a2a', transport: 'JSONRPC' };
const also = (transport: string) =>
  getCard(v03.card({ additionalInterfaces: [main, { url: 'https://agent.example/x', transport }] }));
const core: ReadonlySet<string> = new Set(['JSONRPC', 'GRPC', 'HTTP+JSON']);

export default defineRule({
  id: 'CARD-036',
  level: 'SHOULD',
  party: 'server',
  summary: 'The transports of a 0.3 card are named `JSONRPC`, `GRPC` or `HTTP+JSON`.',
  spec: { '0.3': '5.5.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    spelling: 'The transport is spelled {found} instead of {expected}',
    other: 'The transport {found} is none of the core ones',
  },
  why: 'Clients compare the name letter by letter and pass over an interface that they do not recognise.',
  fix: 'Use the names of the core transports as they are; another name is only for a transport of your own.',
  examples: {
    good: [[getCard(v03.card())]],
    skip: [
      [getCard(v1.card())],
      [getCard(v03.card({ preferredTransport: undefined, additionalInterfaces: undefined }))],
    ],
    bad: [
      { example: [also('http+json')], messages: ['spelling'] },
      { example: [also('REST')], messages: ['other'] },
    ],
  },
  when: ({ card }) =>
    card.interfaces.some(({ rawBinding }) => typeof rawBinding === 'string' && rawBinding !== ''),
  check: (subject, { report }) => {
    for (const { rawBinding: found, pointer } of subject.card.interfaces) {
      if (typeof found !== 'string' || found === '' || core.has(found)) continue;
      const at = inCard(subject, pointer === '' ? '/preferredTransport' : `${pointer}/transport`);
      const expected = bindingOf(found);
      if (expected === undefined) report('other', { data: { found }, at, actual: found });
      else report('spelling', { data: { found, expected }, at, expected, actual: found });
    }
  },
});
