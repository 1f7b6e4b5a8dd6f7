import { canonicalJson } from '@plugfest/a2a';
import { getCard } from '@plugfest/verifier/examples';
import { formRule } from './form-rule.ts';
import { getKeys, signedCard } from './signed-examples.ts';

const unlocked = {
  capabilities: {
    extensions: [{ uri: 'https://extensions.example/geo/v1', required: false }],
  },
};

export default formRule({
  id: 'SIGN-013',
  summary:
    'Members at their default value that are neither REQUIRED nor `optional` are no part of what is signed.',
  message:
    'The signature by {kid} verifies only over {form}, which keeps members at their default: {members}',
  why: 'Such a member gets lost when the card goes through protobuf; the verifier leaves it out, and finds the signature broken.',
  fix: 'Leave empty lists, maps and texts, `false` and 0 out before signing, unless the proto marks the member as REQUIRED or `optional`.',
  concerns: 'implicit',
  difference: 'kept-default',
  good: [[getCard(signedCard(unlocked)), getKeys()]],
  skip: [[getCard(signedCard()), getKeys()]],
  bad: [[getCard(signedCard(unlocked, canonicalJson)), getKeys()]],
});
