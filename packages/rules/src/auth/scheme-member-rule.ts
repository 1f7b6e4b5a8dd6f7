import { pointerToken } from '@plugfest/a2a';
import { isJsonObject, type JsonObject } from '@plugfest/model';
import type { CardSubject, Rule } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { schemesOf } from './declared-security.ts';

/** What is particular to the rule of one kind of scheme. */
export interface SchemeMemberRule {
  readonly id: string;
  /** Member of the proto's SecurityScheme, e.g. `apiKeySecurityScheme`. */
  readonly kind: string;
  readonly section: string;
  readonly summary: string;
  readonly why: string;
  readonly fix: string;
  /** Texts that each have to be there; where only some values are known, these. */
  readonly members: Readonly<Record<string, readonly string[]>>;
  readonly good: JsonObject;
  readonly bad: readonly JsonObject[];
}

/** The schemes of one kind in a card, without their wrapper. */
export function schemesOfKind({ card }: CardSubject, kind: string) {
  return [...schemesOf(card)].flatMap(([name, scheme]) => {
    const value = scheme[kind];
    const pointer = `/securitySchemes/${pointerToken(name)}/${kind}`;
    return isJsonObject(value) ? [{ name, value, pointer }] : [];
  });
}

/** The REQUIRED texts of one kind of security scheme are there. */
export function schemeMemberRule(definition: SchemeMemberRule): Rule {
  const { id, kind, section, summary, why, fix, members, good, bad } = definition;
  const card = (scheme: JsonObject) => [getCard(v1.card({ securitySchemes: { login: { [kind]: scheme } } }))];
  return defineRule({
    id,
    level: 'MUST',
    party: 'server',
    summary,
    spec: { '1.0': section },
    bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
    scope: 'card',
    messages: { member: 'The security scheme {name} has {found} as its `{member}`' },
    why,
    fix,
    examples: {
      good: [card(good)],
      skip: [[getCard(v1.card())], [getCard(v03.card())]],
      bad: bad.map((scheme) => ({ example: card(scheme), messages: ['member'] as const })),
    },
    when: (subject) => schemesOfKind(subject, kind).length > 0,
    check: (subject, { report }) => {
      for (const { name, value, pointer } of schemesOfKind(subject, kind)) {
        for (const [member, known] of Object.entries(members)) {
          const found = value[member];
          if (typeof found === 'string' && found !== '' && (known.length === 0 || known.includes(found)))
            continue;
          report('member', {
            data: { name, member, found },
            at: inCard(subject, `${pointer}/${member}`),
            expected: known.join(', ') || 'a text',
            actual: found,
          });
        }
      }
    },
  });
}
