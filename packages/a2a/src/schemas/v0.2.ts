import type { Field, ProtocolSchema } from './shape.ts';
import { schema03 } from './v0.3.ts';

/**
 * Members that 0.3 requires and some patch release of 0.2 does not know: `protocolVersion` came with 0.2.5. What a
 * later release added is optional in any case.
 */
const laterRequired: Readonly<Record<string, readonly string[]>> = { AgentCard: ['protocolVersion'] };

/** Members that came with 0.3. */
const later: Readonly<Record<string, readonly string[]>> = {
  AgentCard: ['signatures'],
  AgentSkill: ['security'],
  SecurityScheme: ['oauth2MetadataUrl'],
};

function relaxed(type: string, fields: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> {
  return new Map(
    [...fields]
      .filter(([name]) => !later[type]?.includes(name))
      .map(([name, field]) => [
        name,
        laterRequired[type]?.includes(name) ? { ...field, required: false } : field,
      ]),
  );
}

const { 'agent/getAuthenticatedExtendedCard': _, ...methods } = schema03.methods;

/** The objects of 0.2 (section 6; cards: 5.5), as all its patch releases have them. */
export const schema02: ProtocolSchema = {
  ...schema03,
  version: '0.2',
  types: new Map(
    [...schema03.types]
      .filter(([type]) => type !== 'AgentCardSignature')
      .map(([type, fields]) => [type, relaxed(type, fields)]),
  ),
  methods,
};
