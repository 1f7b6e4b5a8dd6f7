import { isJsonObject } from '@plugfest/model';
import type { CardSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';

const flags = ['streaming', 'pushNotifications', 'extendedAgentCard'] as const;

function flagsOf({ card }: CardSubject) {
  const { capabilities } = card.value;
  if (!isJsonObject(capabilities)) return [];
  return flags.flatMap((name) => {
    const found = capabilities[name];
    return found === undefined || found === null ? [] : [{ name, found }];
  });
}

export default defineRule({
  id: 'CARD-022',
  level: 'MUST',
  party: 'server',
  summary: 'Capability flags are JSON booleans.',
  spec: { '1.0': '4.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { form: 'The capability `{name}` is {found} instead of true or false' },
  why: 'Typed clients refuse the card, and in others the text "false" counts as yes.',
  fix: 'Write true or false without quotes.',
  examples: {
    good: [[getCard(v1.card())], [getCard(v1.card({ capabilities: { streaming: false } }))]],
    skip: [[getCard(v1.card({ capabilities: {} }))], [getCard(v03.card())]],
    bad: [{ example: [getCard(v1.card({ capabilities: { streaming: 'false' } }))], messages: ['form'] }],
  },
  when: (subject) => flagsOf(subject).length > 0,
  check: (subject, { report }) => {
    for (const { name, found } of flagsOf(subject))
      if (typeof found !== 'boolean')
        report('form', {
          data: { name, found },
          at: inCard(subject, `/capabilities/${name}`),
          expected: 'true or false',
          actual: found,
        });
  },
});
