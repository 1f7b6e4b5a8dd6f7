import { canonicalCard } from '@plugfest/a2a';
import { getCard } from '@plugfest/verifier/examples';
import { formRule } from './form-rule.ts';
import { getKeys, signedCard } from './signed-examples.ts';

const open = {
  securitySchemes: {
    oauth: {
      oauth2SecurityScheme: {
        flows: { clientCredentials: { tokenUrl: 'https://auth.example/token', scopes: {} } },
      },
    },
  },
};

export default formRule({
  id: 'SIGN-015',
  summary: 'REQUIRED members are part of what is signed, also where they are empty.',
  message: 'The signature by {kid} verifies only over {form}, which leaves out REQUIRED members: {members}',
  why: 'A verifier keeps the member, gets other bytes than the signer had, and finds the signature broken.',
  fix: 'Take nothing out that the proto marks as REQUIRED: an empty description, list of skills or map of scopes is signed as it is.',
  concerns: 'required',
  difference: 'left-out-required',
  good: [[getCard(signedCard(open)), getKeys()]],
  skip: [[getCard(signedCard()), getKeys()]],
  bad: [[getCard(signedCard(open, (card) => canonicalCard(card)?.replace('"scopes":{},', ''))), getKeys()]],
});
