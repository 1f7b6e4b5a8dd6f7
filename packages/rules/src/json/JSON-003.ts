import { defineRule } from '@plugfest/verifier';
import { deliver, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { type ProtocolDocument, whetherFound } from './documents.ts';
import { memberOwner } from './place-owners.ts';
import { enumMembers, placeOfScalar, type ScalarMember } from './scalar-members.ts';
import { faultless03, faultless10, gotTask } from './traffic-without-fault.ts';

/**
 * Enum members that the proto marks as REQUIRED; a filter of ListTasks is not. The absence of one is the subject of
 * JSON-007, and over gRPC, where UNSPECIFIED is not sent, all of it is that of GRPC-014.
 */
const isRequired = ({ object }: ScalarMember): boolean => object.type !== 'ListTasksRequest';

export default defineRule({
  id: 'JSON-003',
  level: 'MUST',
  party: 'sender',
  summary: 'The state of a task and the role of a message are never `UNSPECIFIED`.',
  spec: { '1.0': '5.7' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: { unspecified: '`{member}` is {found}, which says that it was not set' },
  why: 'UNSPECIFIED is what a field holds that nobody set: often a state of an older version that a conversion did not know.',
  fix: 'Set the state or the role; map every value of your own model to one of the protocol.',
  examples: {
    good: [faultless10.rpc, faultless10.rest, faultless10.webhook],
    skip: [
      faultless03.rpc,
      faultless10.card,
      // A filter may be left open.
      [
        rpc({
          method: 'ListTasks',
          params: { status: 'TASK_STATE_UNSPECIFIED' },
          result: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 },
        }),
      ],
    ],
    bad: [
      {
        example: [
          deliver(
            v1.statusUpdate('COMPLETED', {
              status: v1.status('COMPLETED', { state: 'TASK_STATE_UNSPECIFIED' }),
            }),
          ),
        ],
        messages: ['unspecified'],
      },
      {
        example: gotTask({ history: [v1.message('hello', { role: 'ROLE_UNSPECIFIED' })] }),
        messages: ['unspecified'],
      },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: v1.message('hello', { role: 'ROLE_UNSPECIFIED' }) },
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['unspecified'],
      },
    ],
  },
  when: (exchange) => whetherFound(exchange, enumMembers(exchange).some(isRequired)),
  check: (exchange, { report }) => {
    let told: ProtocolDocument | undefined;
    for (const found of enumMembers(exchange)) {
      const { document, object, name, value } = found;
      if (value !== 'TASK_STATE_UNSPECIFIED' && value !== 'ROLE_UNSPECIFIED') continue;
      if (document === told || !isRequired(found)) continue;
      if (name === 'state' && memberOwner(exchange, document, object, name) !== undefined) continue;
      told = document;
      report('unspecified', { data: { member: name, found: value }, at: placeOfScalar(found) });
    }
  },
});
