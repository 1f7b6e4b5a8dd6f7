import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { entriesOf } from './checked-signatures.ts';
import { exampleHeader, signatureOver, signedCard } from './signed-examples.ts';

const withTyp = (typ: string | undefined) =>
  getCard(v1.card({ signatures: [signatureOver('{}', { ...exampleHeader, typ })] }));

export default defineRule({
  id: 'SIGN-005',
  level: 'SHOULD',
  party: 'server',
  summary: 'The protected header of a card signature says `typ: "JOSE"`.',
  spec: { '1.0': '8.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    missing: 'The protected header of signature {index} has no `typ`',
    other: '`typ` in the protected header of signature {index} is {found} instead of JOSE',
  },
  why: 'Some verifiers refuse a signature without `typ`, or take one with another `typ` for a token of another kind.',
  fix: 'Set `typ` to `JOSE` in the protected header.',
  examples: {
    good: [[getCard(signedCard())]],
    skip: [[getCard(v1.card())]],
    bad: [
      { example: [withTyp(undefined)], messages: ['missing'] },
      { example: [withTyp('JWT')], messages: ['other'] },
    ],
  },
  when: (subject) => entriesOf(subject).some(({ protectedHeader }) => protectedHeader !== undefined),
  check: (subject, { report }) => {
    for (const { index, pointer, protectedHeader } of entriesOf(subject)) {
      if (protectedHeader === undefined) continue;
      const { typ } = protectedHeader;
      // Media type names have no case (RFC 7515 section 4.1.9).
      if (typeof typ === 'string' && typ.toUpperCase() === 'JOSE') continue;
      report(typ === undefined ? 'missing' : 'other', {
        data: { index, found: typ },
        at: inCard(subject, `${pointer}/protected`),
        expected: 'JOSE',
        actual: typ,
      });
    }
  },
});
