import type { CardDefaults, FormDifference } from '@plugfest/a2a';
import { cardDefaults } from '@plugfest/a2a';
import type { Rule } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import type { Example } from '@plugfest/verifier/examples';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { checkedSignatures, inOtherForm, inShownCard, verifies } from './checked-signatures.ts';
import { getKeys } from './signed-examples.ts';

/** What is particular to the rule of one kind of member in the signed payload. */
export interface FormRule {
  readonly id: string;
  readonly summary: string;
  readonly message: string;
  readonly why: string;
  readonly fix: string;
  /** A card is judged only where it has some of these: without them all forms are the same. */
  readonly concerns: keyof CardDefaults;
  readonly difference: FormDifference['kind'];
  readonly good: readonly Example[];
  readonly skip: readonly Example[];
  readonly bad: readonly Example[];
}

/** Section 8.4.1 says for each kind of member whether it is part of what is signed. */
export function formRule(definition: FormRule): Rule {
  const { concerns, difference, message, good, skip, bad, ...rest } = definition;
  return defineRule({
    ...rest,
    level: 'MUST',
    party: 'server',
    spec: { '1.0': '8.4.1' },
    bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
    scope: 'shown-card',
    messages: { form: message },
    examples: {
      good,
      skip: [[getCard(v1.card()), getKeys()], ...skip],
      bad: bad.map((example) => ({ example, messages: ['form'] as const })),
    },
    when: (sighting, { conversation }) =>
      checkedSignatures(sighting, conversation).some(verifies) &&
      cardDefaults(sighting.card.value)[concerns].length > 0,
    check: (sighting, { conversation, report }) => {
      for (const { signature, form, differences } of inOtherForm(checkedSignatures(sighting, conversation))) {
        const members = differences.filter(({ kind }) => kind === difference).map(({ pointer }) => pointer);
        if (members.length === 0) continue;
        report('form', {
          data: { kid: signature.kid, form: form?.name, members: members.slice(0, 8).join(', ') },
          at: inShownCard(sighting, signature.pointer),
          expected: 'a signature over the members that section 8.4.1 names, written as RFC 8785 has it',
          actual: form?.name,
        });
      }
    },
  });
}
