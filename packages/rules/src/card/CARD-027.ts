import type { Json } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import type { CardSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';

function linksOf({ card }: CardSubject): { name: string; url: string; pointer: string }[] {
  const { iconUrl, documentationUrl, provider } = card.value;
  const all: [string, Json | undefined, string][] = [
    ['iconUrl', iconUrl, '/iconUrl'],
    ['documentationUrl', documentationUrl, '/documentationUrl'],
    ['provider.url', isJsonObject(provider) ? provider.url : undefined, '/provider/url'],
  ];
  return all.flatMap(([name, url, pointer]) =>
    typeof url === 'string' && url !== '' ? [{ name, url, pointer }] : [],
  );
}

export default defineRule({
  id: 'CARD-027',
  level: 'SHOULD',
  party: 'server',
  summary: 'Links of a card are absolute URLs.',
  spec: { '1.0': '4.4.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { relative: '`{name}` is {url}, which is no absolute URL' },
  why: 'A card is read far from where it was served, in catalogues for one; a relative link leads nowhere there.',
  fix: 'Write the whole URL.',
  examples: {
    good: [
      [getCard(v1.card({ iconUrl: 'https://agent.example/icon.png' }))],
      [getCard(v1.card({ iconUrl: 'data:image/png;base64,aGk=' }))],
    ],
    skip: [[getCard(v1.card())], [getCard(v03.card())], [getCard(v1.card({ documentationUrl: '' }))]],
    bad: [{ example: [getCard(v1.card({ documentationUrl: '/docs' }))], messages: ['relative'] }],
  },
  when: (subject) => linksOf(subject).length > 0,
  check: (subject, { report }) => {
    for (const { name, url, pointer } of linksOf(subject))
      if (!URL.canParse(url))
        report('relative', {
          data: { name, url },
          at: inCard(subject, pointer),
          expected: 'https://…',
          actual: url,
        });
  },
});
