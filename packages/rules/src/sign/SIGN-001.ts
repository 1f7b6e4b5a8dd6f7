import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { signatureOver, signedCard } from './signed-examples.ts';

export default defineRule({
  id: 'SIGN-001',
  level: 'MUST',
  party: 'server',
  summary: 'Each signature of a card has the texts `protected` and `signature`.',
  spec: { '0.3': '5.5.6', '1.0': '4.4.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    list: '`signatures` of the card is {found} instead of an array',
    entry: 'The signature {index} is {found} instead of an object',
    member: '`{member}` of signature {index} is {found} instead of a string',
  },
  why: 'Libraries for JWS refuse the signature, or the card as a whole.',
  fix: 'Give each entry the members of a JWS in flattened JSON, without its payload.',
  examples: {
    good: [[getCard(signedCard())], [getCard(v03.card({ signatures: [signatureOver('{}')] }))]],
    skip: [[getCard(v1.card())], [getCard(v1.card({ signatures: [] }))]],
    bad: [
      { example: [getCard(v1.card({ signatures: signatureOver('{}') }))], messages: ['list'] },
      { example: [getCard(v1.card({ signatures: ['eyJhbGciOiJFUzI1NiJ9..c2ln'] }))], messages: ['entry'] },
      {
        example: [getCard(v1.card({ signatures: [{ ...signatureOver('{}'), signature: null }] }))],
        messages: ['member'],
      },
      {
        example: [
          getCard(v03.card({ signatures: [{ ...signatureOver('{}'), protected: { alg: 'ES256' } }] })),
        ],
        messages: ['member'],
      },
    ],
  },
  when: ({ card }) => {
    const { signatures } = card.value;
    if (signatures === undefined || signatures === null) return false;
    return !Array.isArray(signatures) || signatures.length > 0;
  },
  check: (subject, { report }) => {
    const { signatures } = subject.card.value;
    if (!Array.isArray(signatures)) {
      report('list', {
        data: { found: signatures },
        at: inCard(subject, '/signatures'),
        expected: 'an array',
        actual: signatures,
      });
      return;
    }
    for (const [index, entry] of signatures.slice(0, 16).entries()) {
      const pointer = `/signatures/${index}`;
      if (!isJsonObject(entry)) {
        report('entry', {
          data: { index, found: entry },
          at: inCard(subject, pointer),
          expected: 'an object',
          actual: entry,
        });
        continue;
      }
      for (const member of ['protected', 'signature'])
        if (typeof entry[member] !== 'string')
          report('member', {
            data: { index, member, found: entry[member] },
            at: inCard(subject, `${pointer}/${member}`),
            expected: 'a string',
            actual: entry[member],
          });
    }
  },
});
