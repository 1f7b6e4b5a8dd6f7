import type { CardSubject, CheckContext } from '@plugfest/verifier';
import { type Form, formNames, memberFault } from './card-members.ts';
import { inCard } from './card-place.ts';

export const requiredMessages = {
  missing: 'The card has no `{member}`',
  form: '`{member}` of the card is {found} instead of {form}',
  empty: '`{member}` of the card is empty',
} as const;

/**
 * Reports each required member of a card that is absent, of another form, or an empty text. A fault of a member that
 * `isDoubtful` is a warning.
 */
export function checkRequiredMembers(
  subject: CardSubject,
  members: Readonly<Record<string, Form>>,
  isDoubtful: (member: string) => boolean,
  { report }: Pick<CheckContext<keyof typeof requiredMessages>, 'report'>,
): void {
  const { value } = subject.card;
  for (const [member, form] of Object.entries(members)) {
    const fault = memberFault(value, member, form);
    if (fault === undefined) continue;
    report(fault, {
      data: { member, found: value[member], form: formNames[form] },
      at: inCard(subject, `/${member}`),
      // An empty description says nothing, but the specification's own signed card has one (1.0 section 8.4.1).
      ...((fault === 'empty' && member === 'description') || isDoubtful(member)
        ? { outcome: 'warn' as const }
        : {}),
      expected: formNames[form],
      actual: value[member],
    });
  }
}
