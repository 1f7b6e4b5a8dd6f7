import { fromBase64url, wrongSize } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { entriesOf } from './checked-signatures.ts';
import { exampleHeader, signatureOver, signedCard } from './signed-examples.ts';

const withSignature = (alg: string, signature: string) =>
  getCard(v1.card({ signatures: [{ ...signatureOver('{}', { ...exampleHeader, alg }), signature }] }));

/** An ECDSA signature as most libraries give it: a DER sequence of two integers. */
const isDer = (alg: string, bytes: Buffer): boolean =>
  alg.startsWith('ES') && bytes[0] === 0x30 && (bytes[1] === bytes.length - 2 || bytes[1] === 0x81);

const der = Buffer.concat([
  Buffer.from('30440220', 'hex'),
  Buffer.alloc(32, 1),
  Buffer.from('0220', 'hex'),
  Buffer.alloc(32, 2),
]).toString('base64url');
/** With a length of two bytes, as those of large keys have. */
const longDer = Buffer.concat([Buffer.from('308187', 'hex'), Buffer.alloc(135, 2)]).toString('base64url');

export default defineRule({
  id: 'SIGN-008',
  level: 'MUST',
  party: 'server',
  summary: '`signature` of a card signature is base64url, with as many bytes as its algorithm makes.',
  spec: { '1.0': '8.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    base64url: '`signature` of signature {index} is no unpadded base64url',
    der: '`signature` of signature {index} is in DER instead of {wanted} for {alg}',
    length: '`signature` of signature {index} has {found} bytes instead of {wanted} for {alg}',
  },
  why: 'No verifier accepts it: JWS wants the two numbers of an ECDSA signature side by side (RFC 7518 section 3.4), not what crypto libraries give by default.',
  fix: 'Encode the raw signature in base64url without `=`; ask the library for the format `ieee-p1363`, or use one for JWS.',
  examples: {
    good: [[getCard(signedCard())], [withSignature('ES256', 'A'.repeat(86))]],
    skip: [[getCard(v1.card())], [getCard(v1.card({ signatures: [{ protected: 'e30' }] }))]],
    bad: [
      { example: [withSignature('ES256', `${'A'.repeat(86)}==`)], messages: ['base64url'] },
      { example: [withSignature('ES256', der)], messages: ['der'] },
      { example: [withSignature('ES512', longDer)], messages: ['der'] },
      { example: [withSignature('ES384', 'A'.repeat(86))], messages: ['length'] },
      // What begins in the same way, or is of another sort of key, is no DER of an ECDSA signature.
      ...[
        ['ES256', [0x30, 0x00, 0x02]],
        ['ES256', [0x31, 0x01, 0x02]],
        ['EdDSA', [0x30, 0x01, 0x02]],
      ].map(([alg, bytes]) => ({
        example: [withSignature(String(alg), Buffer.from(bytes as number[]).toString('base64url'))],
        messages: ['length'] as const,
      })),
      {
        example: [
          getCard(
            v1.card({
              signatures: [
                { protected: 'e30' },
                { protected: 'e30', signature: 'AAAA' },
                { ...signatureOver('{}', { ...exampleHeader, alg: 'ES256' }), signature: der },
              ],
            }),
          ),
        ],
        messages: ['der'],
      },
    ],
  },
  when: (subject) => entriesOf(subject).some(({ signature }) => signature !== undefined),
  check: (subject, { report }) => {
    for (const { index, pointer, signature, alg } of entriesOf(subject)) {
      if (signature === undefined) continue;
      const at = inCard(subject, `${pointer}/signature`);
      const bytes = fromBase64url(signature);
      if (bytes === undefined) {
        report('base64url', {
          data: { index },
          at,
          expected: 'base64url without padding',
          actual: signature,
        });
        continue;
      }
      const wanted = alg === undefined ? undefined : wrongSize(alg, bytes.length);
      if (alg === undefined || wanted === undefined) continue;
      report(isDer(alg, bytes) ? 'der' : 'length', {
        data: { index, alg, wanted, found: bytes.length },
        at,
        expected: wanted,
        actual: `${bytes.length} bytes`,
      });
    }
  },
});
