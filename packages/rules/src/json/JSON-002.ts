import type { DecodedExchange } from '@plugfest/a2a';
import { canonicalRole, canonicalState, taskStates } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { deliver, rest, v1 } from '@plugfest/verifier/examples';
import { olderAnswer } from '../ver/shown-dialect.ts';
import { type ProtocolDocument, whetherFound } from './documents.ts';
import { memberOwner } from './place-owners.ts';
import { enumMembers, placeOfScalar, type ScalarMember } from './scalar-members.ts';
import { faultless03, faultless10, gotTask } from './traffic-without-fault.ts';

const names: ReadonlySet<Json> = new Set<Json>([
  ...taskStates,
  'ROLE_UNSPECIFIED',
  'ROLE_USER',
  'ROLE_AGENT',
]);

export default defineRule({
  id: 'JSON-002',
  level: 'MUST',
  party: 'sender',
  summary: 'States and roles are strings spelled as in the proto: `TASK_STATE_…` and `ROLE_…`.',
  spec: { '1.0': '5.5' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: {
    legacy: '`{member}` is {found}, which is the spelling of an older version; 1.0 writes {expected}',
    number: '`{member}` is the number {found}; 1.0 writes enums as strings',
    unknown: '`{member}` is {found}, which 1.0 does not know',
  },
  why: 'A 1.0 client compares with the names of the proto: it takes the state for unknown, and waits or polls for ever.',
  fix: 'Write the name of the enum value as the proto has it, for example `TASK_STATE_COMPLETED` or `ROLE_AGENT`.',
  examples: {
    good: [faultless10.rpc, faultless10.rest, faultless10.stream, faultless10.webhook],
    skip: [faultless03.rpc, faultless10.card],
    bad: [
      { example: gotTask({ status: v1.status('COMPLETED', { state: 'completed' }) }), messages: ['legacy'] },
      { example: gotTask({ status: v1.status('COMPLETED', { state: 3 }) }), messages: ['number'] },
      {
        example: [
          deliver(
            v1.statusUpdate('WORKING', { status: v1.status('WORKING', { state: 'TASK_STATE_PAUSED' }) }),
          ),
        ],
        messages: ['unknown'],
      },
      {
        example: gotTask({ history: [v1.message('hello', { role: 'ROLE_SYSTEM' })] }),
        messages: ['unknown'],
      },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: v1.message('hello', { role: 'user' }) },
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['legacy'],
      },
      {
        example: [
          deliver(
            v1.statusUpdate('CANCELED', { status: v1.status('CANCELED', { state: 'TASK_STATE_CANCELLED' }) }),
          ),
        ],
        messages: ['legacy'],
      },
    ],
  },
  when: (exchange) => whetherFound(exchange, enumMembers(exchange).length > 0),
  check: (exchange, { report }) => {
    // An answer that is an older version's as a whole is VER-005.
    const isOlder = exchange.kind === 'operation' && olderAnswer(exchange) !== undefined;
    let told: ProtocolDocument | undefined;
    for (const found of enumMembers(exchange)) {
      const { document, name, value } = found;
      // One breach per document: the others have the same cause.
      if (names.has(value) || document === told || (isOlder && document.side === 'response')) continue;
      if (isUnknownElsewhere(exchange, found)) continue;
      told = document;
      const expected =
        (name === 'role' ? canonicalRole(value) : canonicalState(value)) ?? 'a name of the proto';
      const message =
        typeof value === 'number' ? 'number' : expected === 'a name of the proto' ? 'unknown' : 'legacy';
      report(message, {
        data: { member: name, found: value, expected },
        at: placeOfScalar(found),
        expected,
        actual: value,
      });
    }
  },
});

/** A state that is none at all is the matter of LIFE-001, where an answer shows it. */
const isUnknownElsewhere = (
  exchange: DecodedExchange,
  { document, object, name, value }: ScalarMember,
): boolean =>
  name === 'state' &&
  typeof value !== 'number' &&
  canonicalState(value) === undefined &&
  memberOwner(exchange, document, object, name) !== undefined;
