import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { entriesOf } from './checked-signatures.ts';
import { exampleHeader, signatureOver, signedCard } from './signed-examples.ts';

const withHeader = (header: { readonly alg: string | number | undefined }) =>
  getCard(v1.card({ signatures: [signatureOver('{}', { ...exampleHeader, ...header })] }));

export default defineRule({
  id: 'SIGN-003',
  level: 'MUST',
  party: 'server',
  summary: 'The protected header of a card signature names the algorithm in `alg`.',
  spec: { '1.0': '8.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    missing: 'The protected header of signature {index} has no `alg`',
    form: '`alg` in the protected header of signature {index} is {found} instead of a text',
  },
  why: 'Without it a verifier would have to guess the algorithm, which JWS forbids.',
  fix: 'Name the JWS algorithm, e.g. `ES256`, in the protected header.',
  examples: {
    good: [[getCard(signedCard())]],
    skip: [
      [getCard(v1.card())],
      [getCard(v1.card({ signatures: [{ protected: 'W10', signature: 'c2ln' }] }))],
    ],
    bad: [
      { example: [withHeader({ alg: undefined })], messages: ['missing'] },
      { example: [withHeader({ alg: '' })], messages: ['form'] },
    ],
  },
  when: (subject) => entriesOf(subject).some(({ protectedHeader }) => protectedHeader !== undefined),
  check: (subject, { report }) => {
    for (const { index, pointer, protectedHeader } of entriesOf(subject)) {
      if (protectedHeader === undefined) continue;
      const found = protectedHeader.alg;
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
