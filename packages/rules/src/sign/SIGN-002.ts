import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { entriesOf } from './checked-signatures.ts';
import { signatureOver, signedCard } from './signed-examples.ts';

const withProtected = (text: string) =>
  getCard(v1.card({ signatures: [{ ...signatureOver('{}'), protected: text }] }));

export default defineRule({
  id: 'SIGN-002',
  level: 'MUST',
  party: 'server',
  summary: 'The protected header of a card signature is a JSON object in unpadded base64url.',
  spec: { '0.3': '5.5.6', '1.0': '8.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    base64url: '`protected` of signature {index} is no unpadded base64url',
    utf8: '`protected` of signature {index} is no UTF-8 inside its base64url',
    json: '`protected` of signature {index} holds no JSON object',
  },
  why: 'The text itself is signed and its content names algorithm and key: a verifier that cannot read it gives up.',
  fix: 'Write the header as JSON, encode it in base64url (RFC 4648 section 5) without `=`, and sign exactly that text.',
  examples: {
    good: [[getCard(signedCard())], [getCard(v03.card({ signatures: [signatureOver('{}')] }))]],
    skip: [[getCard(v1.card())], [getCard(v1.card({ signatures: [{ signature: 'c2ln' }] }))]],
    bad: [
      { example: [withProtected('eyJhbGciOiJFUzI1NiJ9=')], messages: ['base64url'] },
      { example: [withProtected('{"alg":"ES256","kid":"key-1"}')], messages: ['base64url'] },
      { example: [withProtected('_w')], messages: ['utf8'] },
      { example: [withProtected('W10')], messages: ['json'] },
      {
        example: [
          getCard(
            v1.card({ signatures: [{ signature: 'c2ln' }, { ...signatureOver('{}'), protected: 'W10' }] }),
          ),
        ],
        messages: ['json'],
      },
    ],
  },
  when: (subject) =>
    entriesOf(subject).some(
      ({ protectedHeader, protectedFault }) => protectedHeader ?? protectedFault !== 'absent',
    ),
  check: (subject, { report }) => {
    for (const { index, pointer, protectedFault, protected: found } of entriesOf(subject)) {
      if (protectedFault === undefined || protectedFault === 'absent') continue;
      report(protectedFault, {
        data: { index },
        at: inCard(subject, `${pointer}/protected`),
        expected: 'a JSON object in base64url without padding',
        actual: found,
      });
    }
  },
});
