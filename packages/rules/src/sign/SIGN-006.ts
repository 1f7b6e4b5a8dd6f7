import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { isLabHost } from '../lab-host.ts';
import { entriesOf } from './checked-signatures.ts';
import { exampleHeader, signatureOver, signedCard } from './signed-examples.ts';

const withJku = (jku: string | number | undefined) =>
  getCard(v1.card({ signatures: [signatureOver('{}', { ...exampleHeader, jku })] }));

export default defineRule({
  id: 'SIGN-006',
  level: 'SHOULD',
  party: 'server',
  summary: 'The `jku` of a card signature is an https URL.',
  spec: { '1.0': '8.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    url: '`jku` of signature {index} is {found}, which is no absolute URL',
    plain: '`jku` of signature {index} is {found}: keys fetched from there can be replaced on the way',
  },
  why: 'Whoever can change the answer puts in a key of their own, and a forged card verifies.',
  fix: 'Serve the key set over https and give its absolute URL.',
  examples: {
    good: [[getCard(signedCard())], [withJku('http://127.0.0.1:8080/jwks.json')]],
    skip: [[getCard(v1.card())], [withJku(undefined)]],
    bad: [
      { example: [withJku('/jwks.json')], messages: ['url'] },
      { example: [withJku(7)], messages: ['url'] },
      { example: [withJku('http://agent.example/jwks.json')], messages: ['plain'] },
    ],
  },
  when: (subject) => entriesOf(subject).some(({ protectedHeader }) => protectedHeader?.jku !== undefined),
  check: (subject, { report }) => {
    for (const { index, pointer, protectedHeader } of entriesOf(subject)) {
      const found = protectedHeader?.jku;
      if (found === undefined) continue;
      const url = typeof found === 'string' ? URL.parse(found) : null;
      if (url?.protocol === 'https:') continue;
      if (url?.protocol === 'http:' && isLabHost(url.hostname)) continue;
      report(url === null ? 'url' : 'plain', {
        data: { index, found },
        at: inCard(subject, `${pointer}/protected`),
        expected: 'an https URL',
        actual: found,
      });
    }
  },
});
