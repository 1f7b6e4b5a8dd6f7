import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { entriesOf } from './checked-signatures.ts';
import { exampleHeader, signatureOver, signedCard } from './signed-examples.ts';

const withHeader = (header: { readonly kid: string | number | undefined }) =>
  getCard(v1.card({ signatures: [signatureOver('{}', { ...exampleHeader, ...header })] }));

export default defineRule({
  id: 'SIGN-004',
  level: 'MUST',
  party: 'server',
  summary: 'The protected header of a card signature names the key in `kid`.',
  spec: { '1.0': '8.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    missing: 'The protected header of signature {index} has no `kid`',
    form: '`kid` in the protected header of signature {index} is {found} instead of a text',
  },
  why: 'A verifier finds no key for the signature, or tries every key it has.',
  fix: 'Put the id that the key has in its JWK set into the protected header.',
  examples: {
    good: [[getCard(signedCard())]],
    skip: [
      [getCard(v1.card())],
      [getCard(v1.card({ signatures: [{ protected: 'W10', signature: 'c2ln' }] }))],
    ],
    bad: [
      { example: [withHeader({ kid: undefined })], messages: ['missing'] },
      { example: [withHeader({ kid: 7 })], messages: ['form'] },
      { example: [withHeader({ kid: '' })], messages: ['form'] },
      {
        example: [
          getCard(
            v1.card({
              signatures: [
                { protected: 'W10', signature: 'c2ln' },
                signatureOver('{}', { ...exampleHeader, kid: undefined }),
              ],
            }),
          ),
        ],
        messages: ['missing'],
      },
    ],
  },
  when: (subject) => entriesOf(subject).some(({ protectedHeader }) => protectedHeader !== undefined),
  check: (subject, { report }) => {
    for (const { index, pointer, protectedHeader } of entriesOf(subject)) {
      if (protectedHeader === undefined) continue;
      const found = protectedHeader.kid;
      if (typeof found === 'string' && found !== '') continue;
      report(found === undefined ? 'missing' : 'form', {
        data: { index, found },
        at: inCard(subject, `${pointer}/protected`),
        expected: 'a text that is not empty',
        actual: found,
      });
    }
  },
});
