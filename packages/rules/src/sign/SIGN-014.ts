import { canonicalCard } from '@plugfest/a2a';
import { getCard } from '@plugfest/verifier/examples';
import { formRule } from './form-rule.ts';
import { getKeys, signedCard } from './signed-examples.ts';

const still = { capabilities: { streaming: false, pushNotifications: true } };

export default formRule({
  id: 'SIGN-014',
  summary:
    'Members that the proto marks as `optional` are part of what is signed whenever they are set, also to `false` or an empty text.',
  message:
    'The signature by {kid} verifies only over {form}, which leaves out members that are set: {members}',
  why: 'A verifier keeps what it was given, gets other bytes than the signer had, and finds the signature broken. What is not covered can also be changed on the way.',
  fix: 'Keep `streaming`, `pushNotifications`, `extendedAgentCard`, `documentationUrl`, `iconUrl` and empty objects that are set; leave out only what is not in the card.',
  concerns: 'present',
  difference: 'left-out-present',
  good: [[getCard(signedCard(still)), getKeys()]],
  skip: [[getCard(signedCard()), getKeys()]],
  bad: [
    [getCard(signedCard(still, (card) => canonicalCard(card)?.replace(',"streaming":false', ''))), getKeys()],
  ],
});
