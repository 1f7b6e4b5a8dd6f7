import { canonicalRole, canonicalState, legacyRole, legacyState, taskStates } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v03 } from '@plugfest/verifier/examples';
import { type ProtocolDocument, whetherFound } from './documents.ts';
import { placeOfScalar, scalarMembers } from './scalar-members.ts';
import { schema03 } from './schema.ts';
import { faultless03, faultless10, gotLegacyTask } from './traffic-without-fault.ts';

const enumMembers = scalarMembers(schema03, 'state', 'role');
const states: ReadonlySet<Json> = new Set(taskStates.map(legacyState));
const roles: ReadonlySet<Json> = new Set(['user', 'agent']);

function legacyNameOf(member: string, value: Json): string | undefined {
  const role = canonicalRole(value);
  const state = canonicalState(value);
  return member === 'role' ? role && legacyRole(role) : state && legacyState(state);
}

export default defineRule({
  id: 'JSON-030',
  level: 'MUST',
  party: 'sender',
  summary: 'States are the lower-case names with hyphens, and roles are `user` or `agent`.',
  spec: { '0.2': '6.3', '0.3': '6.3' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    newer: '`{member}` is {found}, which is a name of the proto; on JSON-RPC this version writes {expected}',
    unknown: '`{member}` is {found}, which this version does not know',
  },
  why: 'SDKs of 0.2 and 0.3 validate the enum and refuse the whole result, so the call fails though the work is done.',
  fix: 'Write the state as in section 6.3, for example `input-required`, and the role in lower case.',
  examples: {
    good: [faultless03.rpc, faultless03.stream],
    skip: [faultless10.rpc],
    bad: [
      {
        example: gotLegacyTask({ status: v03.status('completed', { state: 'TASK_STATE_COMPLETED' }) }),
        messages: ['newer'],
      },
      {
        example: gotLegacyTask({ status: v03.status('completed', { state: 'done' }) }),
        messages: ['unknown'],
      },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'message/send',
            params: { message: v03.message('hello', { role: 'ROLE_USER' }) },
            result: v03.task('completed'),
          }),
        ],
        messages: ['newer'],
      },
    ],
  },
  when: (exchange) => whetherFound(exchange, enumMembers(exchange).length > 0),
  check: (exchange, { report }) => {
    let told: ProtocolDocument | undefined;
    for (const found of enumMembers(exchange)) {
      const { document, name, value } = found;
      if (document === told || (name === 'role' ? roles : states).has(value)) continue;
      told = document;
      const expected = legacyNameOf(name, value);
      report(expected === undefined ? 'unknown' : 'newer', {
        data: { member: name, found: value, expected },
        at: placeOfScalar(found),
        ...(expected === undefined ? {} : { expected }),
        actual: value,
      });
    }
  },
});
