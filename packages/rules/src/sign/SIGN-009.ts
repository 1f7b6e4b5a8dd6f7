import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { entriesOf } from './checked-signatures.ts';
import { signatureOver, signedCard } from './signed-examples.ts';

const withHeader = (header: string | { readonly [member: string]: string }) =>
  getCard(v1.card({ signatures: [{ ...signatureOver('{}'), header }] }));

export default defineRule({
  id: 'SIGN-009',
  level: 'MUST',
  party: 'server',
  summary:
    'The unprotected header of a card signature is an object and repeats no member of the protected one.',
  spec: { '1.0': '8.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    form: '`header` of signature {index} is {found} instead of an object',
    repeated: '`{member}` of signature {index} is in both of its headers',
  },
  why: 'The two headers make one: a JWS library refuses a signature where a name stands in both (RFC 7515 section 7.2.1).',
  fix: 'Leave `header` out, or keep in it only what the protected header does not have.',
  examples: {
    good: [[withHeader({ note: 'rotated in May' })]],
    skip: [[getCard(v1.card())], [getCard(signedCard())]],
    bad: [
      { example: [withHeader('eyJraWQiOiJrZXktMSJ9')], messages: ['form'] },
      { example: [withHeader({ kid: 'key-1' })], messages: ['repeated'] },
    ],
  },
  when: (subject) => entriesOf(subject).some(({ header }) => header !== undefined),
  check: (subject, { report }) => {
    for (const { index, pointer, header, protectedHeader } of entriesOf(subject)) {
      if (header === undefined) continue;
      const at = inCard(subject, `${pointer}/header`);
      if (!isJsonObject(header)) {
        report('form', { data: { index, found: header }, at, expected: 'an object', actual: header });
        continue;
      }
      for (const member of Object.keys(header))
        if (protectedHeader !== undefined && Object.hasOwn(protectedHeader, member))
          report('repeated', { data: { index, member }, at, expected: 'each name in one header' });
    }
  },
});
