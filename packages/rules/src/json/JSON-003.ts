import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { grpc, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { membersOfType, type ScalarMember } from './scalar-members.ts';
import { schema10 } from './schema.ts';
import { faultless03, faultless10, gotTask } from './traffic-without-fault.ts';

const enums = new Set(['state', 'role']);

const enumOf: Readonly<Record<string, 'state' | 'role'>> = { TaskStatus: 'state', Message: 'role' };

/**
 * Enum members that the proto marks as REQUIRED. A filter of ListTasks is not. Over gRPC the absence of one is its
 * zero, which is UNSPECIFIED; over JSON it is the subject of JSON-007.
 */
const requiredEnums = (exchange: DecodedExchange, object: TypedObject): readonly ScalarMember[] => {
  if (object.type === 'ListTasksRequest') return [];
  const found = membersOfType(schema10, object, enums);
  const name = enumOf[object.type];
  if (exchange.dialect?.binding !== 'GRPC' || name === undefined || found.length > 0) return found;
  const value = name === 'state' ? 'TASK_STATE_UNSPECIFIED' : 'ROLE_UNSPECIFIED';
  return [{ name, value, pointer: `${object.pointer}/${name}` }];
};

export default defineRule({
  id: 'JSON-003',
  level: 'MUST',
  party: 'sender',
  summary: 'The state of a task and the role of a message are never `UNSPECIFIED`.',
  spec: { '1.0': '5.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
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
      {
        example: [
          grpc({
            method: 'GetTask',
            request: { id: 'task-1' },
            response: v1.task('WORKING', { status: v1.status('WORKING', { state: undefined }) }),
          }),
        ],
        messages: ['unspecified'],
      },
      {
        example: [
          grpc({
            method: 'SendMessage',
            request: { message: v1.message('hello', { role: undefined }) },
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['unspecified'],
      },
    ],
  },
  when: (exchange) => someObject(exchange, (object) => requiredEnums(exchange, object).length > 0),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const { name, value, pointer } of document.objects.flatMap((object) =>
        requiredEnums(exchange, object),
      )) {
        if (value !== 'TASK_STATE_UNSPECIFIED' && value !== 'ROLE_UNSPECIFIED') continue;
        report('unspecified', { data: { member: name, found: value }, at: placeIn(document, pointer) });
        break;
      }
  },
});
