import type { CardSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { cardWith, declarationsIn, geo } from './extensions.ts';

const declaredUris = ({ card }: CardSubject) =>
  declarationsIn(card.value).flatMap(({ value, pointer }) =>
    typeof value.uri === 'string' && value.uri !== '' ? [{ uri: value.uri, pointer }] : [],
  );

/** A number or date somewhere after the host: `/v1`, `/1.0`, `#2`, `/2026-01`, `?version=3`. */
function hasVersion(uri: string): boolean {
  const url = URL.parse(uri);
  const tail = url === null ? uri : url.pathname + url.search + url.hash;
  return /(?:^|[/:.@#?&=_-])v?\d/i.test(tail.slice(0, 2048));
}

export default defineRule({
  id: 'EXT-011',
  level: 'SHOULD',
  party: 'server',
  summary: 'The URI of an extension says which version it is.',
  spec: { '1.0': '4.6.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { version: 'The URI {uri} of the extension names no version' },
  why: 'A breaking change needs another URI; without a version in it clients cannot tell which of the two they know.',
  fix: 'Put the version into the URI, e.g. `…/geo/v1`.',
  examples: {
    good: [
      [getCard(cardWith({ uri: geo }))],
      [
        getCard(
          cardWith(
            { uri: 'urn:example:geo:1.0' },
            { uri: 'geo:1.0' },
            { uri: 'https://extensions.example/2026-01/geo' },
          ),
        ),
      ],
    ],
    skip: [
      [getCard(v1.card())],
      [getCard(v1.card({ capabilities: undefined }))],
      [getCard(cardWith({ description: 'Without a URI' }, { uri: '' }))],
    ],
    bad: [
      { example: [getCard(cardWith({ uri: 'https://extensions.example/geo' }))], messages: ['version'] },
      // The version of the server is not that of the extension.
      { example: [getCard(cardWith({ uri: 'https://v1.extensions.example/geo' }))], messages: ['version'] },
      { example: [getCard(cardWith({ uri: 'geo' }))], messages: ['version'] },
    ],
  },
  when: (subject) => declaredUris(subject).length > 0,
  check: (subject, { report }) => {
    for (const { uri, pointer } of declaredUris(subject))
      if (!hasVersion(uri))
        report('version', {
          data: { uri },
          at: inCard(subject, `${pointer}/uri`),
          expected: 'a version in the URI',
          actual: uri,
        });
  },
});
