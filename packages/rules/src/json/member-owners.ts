import type { DecodedExchange } from '@plugfest/a2a';
import type { MemberBreach } from './typed-roots.ts';

/** Scalars whose form is the subject of a rule of its own: JSON-002, 004, 011, 021, 026, 027, 030 and 032. */
const judgedElsewhere10 = new Set(['state', 'role', 'kind', 'time', 'bytes', 'int32']);
const judgedElsewhere = new Set(['state', 'role', 'kind', 'time']);

/** The contents of parts before 1.0: JSON-027, 028, 029 and 031. */
const partTypes = new Set(['Part', 'File']);

/** A member of another type than the schema has, that no rule of its own judges (JSON-034). */
export function isOurs({ dialect }: DecodedExchange, { type, member, field, found }: MemberBreach): boolean {
  // Null stands for absent: JSON-007 and JSON-019. Metadata is JSON-020, flags of cards are CARD-022.
  if (found === null || member === 'metadata') return false;
  // The members that a card requires: CARD-007, 030, 037 and 038.
  if (type === 'AgentCard' && field.required) return false;
  if (dialect?.version !== '1.0') return !judgedElsewhere.has(field.type) && !partTypes.has(type);
  return !judgedElsewhere10.has(field.type) && !(type === 'AgentCapabilities' && field.type === 'bool');
}
