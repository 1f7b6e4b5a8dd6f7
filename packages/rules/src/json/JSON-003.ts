import { defineRule } from '@plugfest/verifier';
import { rest, v1 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { membersOfType } from './scalar-members.ts';
import { schema10 } from './schema.ts';
import { faultless03, faultless10, gotTask } from './traffic-without-fault.ts';

const enums = new Set(['state', 'role']);

/** Enum members that the proto marks as REQUIRED. A filter of ListTasks is not. */
const requiredEnums = (object: TypedObject) =>
  object.type === 'ListTasksRequest' ? [] : membersOfType(schema10, object, enums);

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
    skip: [faultless03.rpc, faultless10.card],
    bad: [
      {
        example: gotTask({ status: v1.status('COMPLETED', { state: 'TASK_STATE_UNSPECIFIED' }) }),
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
  when: (exchange) => someObject(exchange, (object) => requiredEnums(object).length > 0),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const { name, value, pointer } of document.objects.flatMap(requiredEnums)) {
        if (value !== 'TASK_STATE_UNSPECIFIED' && value !== 'ROLE_UNSPECIFIED') continue;
        report('unspecified', { data: { member: name, found: value }, at: placeIn(document, pointer) });
        break;
      }
  },
});
