import { pointerToken } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { requirementsIn } from './requirements.ts';

const securitySchemes = { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } };
const skill = { id: 'answer', name: 'Answer', description: 'Answers a question', tags: ['questions'] };
const card = (more: Parameters<typeof v1.card>[0]) => [getCard(v1.card({ securitySchemes, ...more }))];

export default defineRule({
  id: 'AUTH-010',
  level: 'MUST',
  party: 'server',
  summary: 'A security requirement is `{"schemes": {name: {"list": [scope, …]}}}`.',
  spec: { '1.0': '4.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    shape: 'The security requirement is {found} instead of an object with `schemes`',
    scopes: 'The scopes of {name} are {found} instead of an object with `list`',
    array: '`securityRequirements` is {found} instead of an array',
    renamed: 'The card has `security`, which 1.0 calls `securityRequirements`',
  },
  why: 'Clients read an unknown form as no requirement at all: they call without credentials and are refused. The sample card of 1.0.0 still shows `security`, so a card that has only this is a warning.',
  fix: 'Write `"securityRequirements": [{"schemes": {"bearer": {"list": []}}}]`; the form of 0.3 goes into `security` for older clients only.',
  examples: {
    good: [
      card({ securityRequirements: [{ schemes: { bearer: { list: ['read'] } } }] }),
      card({ securityRequirements: [{ schemes: { bearer: {} } }, {}] }),
    ],
    skip: [
      [getCard(v1.card({ security: [] }))],
      [getCard(v1.card({ securityRequirements: [] }))],
      [getCard(v1.card({ securityRequirements: null }))],
      [getCard(v1.card())],
      [getCard(v03.card({ security: [{ bearer: [] }] }))],
    ],
    bad: [
      { example: card({ securityRequirements: [{ bearer: [] }] }), messages: ['shape'] },
      { example: card({ securityRequirements: [{ schemes: { bearer: ['read'] } }] }), messages: ['scopes'] },
      { example: card({ securityRequirements: { schemes: {} } }), messages: ['array'] },
      { example: card({ securityRequirements: { length: 0 } }), messages: ['array'] },
      {
        example: card({ securityRequirements: [{ schemes: { bearer: { list: [7] } } }] }),
        messages: ['scopes'],
      },
      // Empty, and so of no form; those of a skill are there all the same.
      {
        example: card({ security: [], skills: [{ ...skill, securityRequirements: ['bearer'] }] }),
        messages: ['shape'],
      },
      {
        example: card({ security: [{ bearer: [] }], securityRequirements: null }),
        messages: ['renamed'],
      },
      { example: card({ security: [{ bearer: [] }] }), messages: ['renamed'] },
    ],
  },
  when: ({ card: view }) =>
    isDeclared(view.value.securityRequirements) ||
    (Array.isArray(view.value.security) && view.value.security.length > 0) ||
    requirementsIn(view).length > 0,
  check: (subject, { report }) => {
    const { securityRequirements, security } = subject.card.value;
    if (securityRequirements === undefined || securityRequirements === null) {
      if (Array.isArray(security) && security.length > 0)
        report('renamed', {
          outcome: 'warn',
          at: inCard(subject, '/security'),
          expected: 'the member securityRequirements',
        });
    } else if (!Array.isArray(securityRequirements))
      report('array', {
        data: { found: securityRequirements },
        at: inCard(subject, '/securityRequirements'),
        expected: 'an array',
        actual: securityRequirements,
      });
    for (const { value, pointer } of requirementsIn(subject.card)) {
      const empty = isJsonObject(value) && Object.keys(value).length === 0;
      const schemes = isJsonObject(value) ? value.schemes : undefined;
      if (!isJsonObject(schemes)) {
        if (!empty)
          report('shape', {
            data: { found: value },
            at: inCard(subject, pointer),
            expected: '{"schemes": {…}}',
            actual: value,
          });
        continue;
      }
      for (const [name, scopes] of Object.entries(schemes)) {
        const list = isJsonObject(scopes) ? (scopes.list ?? []) : scopes;
        const texts =
          isJsonObject(scopes) &&
          Array.isArray(list) &&
          list.every((scope: Json) => typeof scope === 'string');
        if (texts) continue;
        report('scopes', {
          data: { name, found: scopes },
          at: inCard(subject, `${pointer}/schemes/${pointerToken(name)}`),
          expected: '{"list": ["scope"]}',
          actual: scopes,
        });
      }
    }
  },
});

/** There is something to judge: an empty array demands nothing and has no form. */
const isDeclared = (list: Json | undefined): boolean =>
  list !== undefined && list !== null && !(Array.isArray(list) && list.length === 0);
