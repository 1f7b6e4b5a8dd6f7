import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { deliver, grpc, rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { memberOwner } from './place-owners.ts';
import { isMissing, required03, required10 } from './required-members.ts';
import { faultless03, faultless10, gotLegacyTask, gotTask } from './traffic-without-fault.ts';

const none: readonly string[] = [];

/** Cards and what is in them are the subject of the CARD, SIGN and AUTH rules. */
const judgedTypes = new Set([
  ...['SendMessageRequest', 'GetTaskRequest', 'CancelTaskRequest', 'SubscribeToTaskRequest'],
  ...['GetTaskPushNotificationConfigRequest', 'DeleteTaskPushNotificationConfigRequest'],
  ...['ListTaskPushNotificationConfigsRequest', 'TaskPushNotificationConfig', 'AuthenticationInfo'],
  ...['Task', 'TaskStatus', 'Message', 'Artifact', 'TaskStatusUpdateEvent', 'TaskArtifactUpdateEvent'],
]);

/** Over HTTP+JSON the ids of these requests stand in the path. */
const isInPath = (exchange: DecodedExchange, { type }: TypedObject): boolean =>
  exchange.dialect?.binding === 'HTTP+JSON' && type.endsWith('Request') && type !== 'SendMessageRequest';

/**
 * HTTP+JSON of 0.3 comes in two forms, one of which leaves out whatever equals a default. A task without a state is
 * wrong in both.
 */
const isLoose = ({ dialect }: DecodedExchange): boolean =>
  dialect?.version !== '1.0' && dialect?.binding !== 'JSONRPC';

const isJudged = (exchange: DecodedExchange) => (object: TypedObject) =>
  isLoose(exchange)
    ? object.type === 'TaskStatus'
    : judgedTypes.has(object.type) && !isInPath(exchange, object);

/** Over gRPC what is not sent is empty or UNSPECIFIED: the subject of JSON-009 and JSON-003. */
const ofOthers: ReadonlySet<string> = new Set(['parts', 'state', 'role']);
const isOfOthers = ({ dialect }: DecodedExchange, member: string): boolean =>
  dialect?.binding === 'GRPC' && dialect.version === '1.0' && ofOthers.has(member);

export default defineRule({
  id: 'JSON-007',
  level: 'MUST',
  party: 'sender',
  summary: 'Protocol objects have every member that their version requires.',
  spec: { '0.2': '6', '0.3': '6', '1.0': '5.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  messages: { missing: 'The {type} has no `{member}`' },
  why: 'Readers generated from the schema refuse the object; lenient ones go on with an empty id or state.',
  fix: 'Set the member. An enum that is missing is often a value that a conversion did not know.',
  examples: {
    good: [
      faultless10.rpc,
      faultless10.rest,
      faultless10.stream,
      faultless10.webhook,
      faultless03.rpc,
      faultless03.stream,
      [rest({ verb: 'POST', path: '/tasks/task-1:cancel', body: {}, response: v1.task('CANCELED') })],
    ],
    skip: [
      faultless10.card,
      [
        rpc({
          method: 'ListTasks',
          params: {},
          result: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 },
        }),
      ],
    ],
    bad: [
      {
        example: gotTask({
          status: v1.status('COMPLETED', { message: v1.reply('done', { role: undefined }) }),
        }),
        messages: ['missing'],
      },
      {
        example: [
          rest({
            verb: 'GET',
            path: '/tasks/task-1',
            response: v1.task('WORKING', { history: [v1.message('hello', { messageId: undefined })] }),
          }),
        ],
        messages: ['missing'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [
              { task: v1.task('WORKING') },
              v1.statusUpdate('COMPLETED', {
                status: v1.status('COMPLETED', { message: v1.reply('done', { messageId: undefined }) }),
              }),
            ],
          }),
        ],
        messages: ['missing'],
      },
      { example: [deliver(v1.artifactUpdate('x', { artifact: null }))], messages: ['missing'] },
      {
        example: gotLegacyTask({
          history: [v03.message('hello', { messageId: undefined })],
        }),
        messages: ['missing'],
      },
      {
        example: gotLegacyTask({
          history: [v03.message('hello', { messageId: undefined, message_id: 'm-1' })],
        }),
        messages: ['missing'],
      },
      {
        example: [
          rest({
            verb: 'GET',
            path: '/v1/tasks/task-1',
            headers: { 'A2A-Version': '0.3' },
            responseHeaders: { 'Content-Type': 'application/json' },
            response: v03.task('completed', { status: { timestamp: '2026-01-01T00:00:09Z' } }),
          }),
        ],
        messages: ['missing'],
      },
      {
        example: [
          grpc({
            version: '0.3',
            method: 'GetTask',
            request: { name: 'tasks/task-1' },
            response: { id: 'task-1', contextId: 'ctx-1', status: { timestamp: '2026-01-01T00:00:09Z' } },
          }),
        ],
        messages: ['missing'],
      },
    ],
  },
  when: (exchange) => someObject(exchange, isJudged(exchange)),
  check: (exchange, { report }) => {
    const judged = isJudged(exchange);
    const isProto = exchange.dialect?.version === '1.0';
    const required = isProto ? required10 : required03;
    const spelling = isProto || isLoose(exchange) ? 'any' : 'exact';
    for (const document of documentsOf(exchange).all) {
      let reported: Set<string> | undefined;
      for (const object of document.objects) {
        if (!judged(object)) continue;
        for (const member of required.get(object.type) ?? none) {
          if (isOfOthers(exchange, member)) continue;
          if (!isMissing(object, member, spelling)) continue;
          // Under the name of the proto it is there for the other rules, and missing for typed readers.
          const isRenamed = spelling === 'exact' && !isMissing(object, member);
          if (!isRenamed && memberOwner(exchange, document, object, member) !== undefined) continue;
          // A serialiser leaves out the same member everywhere: once per document is enough.
          const key = `${object.type}.${member}`;
          if (reported?.has(key)) continue;
          reported ??= new Set();
          reported.add(key);
          report('missing', {
            data: { type: object.type, member },
            at: placeIn(document, object.pointer),
            expected: `the member ${member}`,
          });
        }
      }
    }
  },
});
