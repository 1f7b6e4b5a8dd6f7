import { isMac } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { entriesOf } from './checked-signatures.ts';
import { exampleHeader, signatureOver, signedCard } from './signed-examples.ts';

const withAlg = (alg: string, signature: string) =>
  getCard(v1.card({ signatures: [{ ...signatureOver('{}', { ...exampleHeader, alg }), signature }] }));

export default defineRule({
  id: 'SIGN-007',
  level: 'MUST',
  party: 'server',
  summary: 'Cards are signed by a key pair: neither with `none` nor with a shared secret.',
  spec: { '1.0': '8.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    none: 'The signature {index} has the algorithm `none`: it signs nothing',
    mac: 'The signature {index} is a MAC ({alg}): only those who could have made it can check it',
  },
  why: 'Anybody can write a card with `none`. A MAC (a warning, because partners may share a secret) gives strangers no assurance at all.',
  fix: 'Sign with an asymmetric algorithm such as ES256 or EdDSA, and publish the public key.',
  examples: {
    good: [[getCard(signedCard())]],
    skip: [[getCard(v1.card())], [getCard(v1.card({ signatures: [signatureOver('{}', { kid: 'key-1' })] }))]],
    bad: [
      { example: [withAlg('none', '')], messages: ['none'], outcomes: ['fail'] },
      { example: [withAlg('HS256', 'A'.repeat(43))], messages: ['mac'], outcomes: ['warn'] },
    ],
  },
  when: (subject) => entriesOf(subject).some(({ alg }) => alg !== undefined),
  check: (subject, { report }) => {
    for (const { index, pointer, alg } of entriesOf(subject)) {
      if (alg === undefined) continue;
      const at = inCard(subject, `${pointer}/protected`);
      const expected = 'an asymmetric algorithm such as ES256';
      if (alg.toLowerCase() === 'none') report('none', { data: { index }, at, expected, actual: alg });
      else if (isMac(alg))
        report('mac', { data: { index, alg }, at, outcome: 'warn', expected, actual: alg });
    }
  },
});
