import { pointerToken } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { schemesOf } from './declared-security.ts';
import { requirementsIn } from './requirements.ts';

const securitySchemes = { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } };
const needs = (name: string) => [{ schemes: { [name]: { list: [] } } }];
const skill = { id: 'answer', name: 'Answer', description: 'Answers a question', tags: ['questions'] };

export default defineRule({
  id: 'AUTH-009',
  level: 'MUST',
  party: 'server',
  summary: 'Every scheme that a card or skill requires is declared in `securitySchemes`.',
  spec: { '1.0': '4.4.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { undeclared: 'The security scheme {name} is required, and not declared in `securitySchemes`' },
  why: 'A client cannot find out what credentials to get, and gives up on an agent that it could use.',
  fix: 'Declare the scheme in `securitySchemes` under exactly this name, or correct the name in the requirement.',
  examples: {
    good: [[getCard(v1.card({ securitySchemes, securityRequirements: needs('bearer') }))]],
    skip: [[getCard(v1.card({ securitySchemes }))], [getCard(v03.card())]],
    bad: [
      {
        example: [getCard(v1.card({ securitySchemes, securityRequirements: needs('Bearer') }))],
        messages: ['undeclared'],
      },
      { example: [getCard(v1.card({ securityRequirements: needs('bearer') }))], messages: ['undeclared'] },
      {
        example: [
          getCard(
            v1.card({
              securitySchemes: { ...securitySchemes, basic: { httpAuthSecurityScheme: { scheme: 'Basic' } } },
              securityRequirements: needs('oauth'),
            }),
          ),
        ],
        messages: ['undeclared'],
      },
      {
        example: [
          getCard(v1.card({ securitySchemes, skills: [{ ...skill, securityRequirements: needs('oauth') }] })),
        ],
        messages: ['undeclared'],
      },
    ],
  },
  when: ({ card }) =>
    requirementsIn(card).some(({ value }) => isJsonObject(value) && isJsonObject(value.schemes)),
  check: (subject, { report }) => {
    const declared = schemesOf(subject.card);
    for (const { value, pointer } of requirementsIn(subject.card)) {
      const schemes = isJsonObject(value) ? value.schemes : undefined;
      if (!isJsonObject(schemes)) continue;
      for (const name of Object.keys(schemes)) {
        if (declared.has(name)) continue;
        report('undeclared', {
          data: { name },
          at: inCard(subject, `${pointer}/schemes/${pointerToken(name)}`),
          expected: [...declared.keys()].join(', ') || 'a declared scheme',
          actual: name,
        });
      }
    }
  },
});
