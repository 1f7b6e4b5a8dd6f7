import type { Json } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';

const card = (authentication: Json | undefined) => [
  getCard(
    {
      name: 'Example agent',
      description: 'Answers questions',
      url: 'https://agent.example/a2a',
      version: '1.2.3',
      capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'answer', name: 'Answer', description: 'Answers a question', tags: ['questions'] }],
      ...(authentication === undefined ? {} : { authentication }),
    },
    { url: 'https://agent.example/.well-known/agent.json' },
  ),
];

export default defineRule({
  id: 'AUTH-027',
  level: 'MUST',
  party: 'server',
  summary: 'The `authentication` of a 0.1 card names its schemes in an array.',
  spec: { '0.1': '5.5.3' },
  bindings: ['JSONRPC'],
  scope: 'card',
  messages: {
    schemes: '`authentication.schemes` is {found} instead of an array of names',
    single: '`authentication.schemes` is the bare name {found}',
  },
  why: 'Clients look the schemes up one by one; without a list they send no credentials at all. Early examples show a single name, so there it is a warning.',
  fix: 'Write `"authentication": {"schemes": ["Bearer"]}`.',
  examples: {
    good: [card({ schemes: ['Bearer'] }), card({ schemes: [] })],
    skip: [[getCard(v1.card())], card(undefined)],
    bad: [
      { example: card({ credentials: 'see the documentation' }), messages: ['schemes'], outcomes: ['fail'] },
      { example: card({ schemes: [{ type: 'bearer' }] }), messages: ['schemes'] },
      { example: card({ schemes: 'Bearer' }), messages: ['single'], outcomes: ['warn'] },
    ],
  },
  when: ({ card: { value } }) => isJsonObject(value.authentication),
  check: (subject, { report }) => {
    const { authentication } = subject.card.value;
    const schemes = isJsonObject(authentication) ? authentication.schemes : undefined;
    if (Array.isArray(schemes) && schemes.every((name) => typeof name === 'string')) return;
    const single = typeof schemes === 'string';
    report(single ? 'single' : 'schemes', {
      ...(single ? { outcome: 'warn' as const } : {}),
      data: { found: schemes },
      at: inCard(subject, '/authentication/schemes'),
      expected: 'an array of names',
      actual: schemes,
    });
  },
});
