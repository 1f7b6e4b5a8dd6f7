import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { documentsOf } from './documents.ts';
import { isOurs } from './member-owners.ts';
import { sentTask } from './oldest-traffic.ts';
import { faultless03, faultless10, gotLegacyTask, gotTask } from './traffic-without-fault.ts';
import { type MemberBreach, memberBreaches, placeOf, typedRoots } from './typed-roots.ts';

/** Objects whose ids JSON-024 looks at before 1.0. */
const withIds = new Set(['Task', 'Message', 'Artifact', 'TaskStatusUpdateEvent', 'TaskArtifactUpdateEvent']);

/** The ids that are required, which JSON-024 judges, and the schemes of a 0.1 card, which AUTH-027 does. */
function isSaidElsewhere({ dialect }: DecodedExchange, { type, member, field }: MemberBreach): boolean {
  if (dialect?.version === '0.1' && type === 'AgentAuthentication' && member === 'schemes') return true;
  const isId = field.required && (member === 'id' || member.endsWith('Id'));
  return isId && (dialect?.version === '1.0' ? !type.startsWith('Agent') : withIds.has(type));
}

const nameOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

export default defineRule({
  id: 'JSON-034',
  level: 'MUST',
  party: 'sender',
  summary: 'Members of protocol objects have the JSON type that the schema of their version gives them.',
  spec: { '0.1': '6', '0.2': '6', '0.3': '6', '1.0': '4' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: { type: '`{member}` of a {type} is of type {found} instead of {expected}' },
  why: 'A typed reader refuses the whole document; one that is not typed takes a list for a text, or a text for an object, and goes on with nothing.',
  fix: 'Write the member as the schema of that version has it.',
  examples: {
    good: [
      faultless10.rpc,
      faultless10.rest,
      faultless10.stream,
      faultless10.webhook,
      faultless10.card,
      faultless03.rpc,
      faultless03.stream,
      sentTask({ type: 'text', text: 'hello' }),
      [getCard(v03.card())],
      gotTask({ metadata: { any: [1, { thing: null }] } }),
    ],
    skip: [
      ...['0.1', '0.2'].map((version) => [
        rpc({
          version: '0.3',
          headers: { 'A2A-Version': version },
          method: 'tasks/get',
          params: 'task-1',
          error: { code: -32602, message: 'params is no object' },
        }),
      ]),
      [
        rpc({
          method: 'DeleteTaskPushNotificationConfig',
          params: 'config-1',
          error: { code: -32602, message: 'params is no object' },
        }),
      ],
      [
        rest({
          verb: 'GET',
          path: '/v1/tasks/task-1',
          headers: { 'A2A-Version': '0.3' },
          responseHeaders: { 'Content-Type': 'application/json' },
          response: v03.task('completed'),
        }),
      ],
    ],
    bad: [
      {
        example: [
          rpc({
            method: 'SendMessage',
            params: { message: v1.message('hello', { parts: [{ text: 5 }] }) },
            result: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['type'],
      },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: v1.message('hello', { parts: { text: 'hello' } }) },
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['type'],
      },
      { example: gotTask({ artifacts: {} }), messages: ['type'] },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [
              { task: v1.task('WORKING') },
              v1.artifactUpdate('answer', { append: 'false' }),
              v1.statusUpdate('COMPLETED'),
            ],
          }),
        ],
        messages: ['type'],
      },
      { example: [getCard(v1.card({ skills: [{ ...skill(), tags: 'echo' }] }))], messages: ['type'] },
      { example: gotLegacyTask({ history: 'none' }), messages: ['type'] },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { id: 'task-1', historyLength: 'all' },
            result: v03.task('completed'),
          }),
        ],
        messages: ['type'],
      },
      { example: [getCard(v03.card({ provider: 'Example' }))], messages: ['type'] },
    ],
  },
  when: (exchange) =>
    typedRoots(exchange).length > 0 ? true : documentsOf(exchange).cut ? 'undecidable' : false,
  check: (exchange, { report }) => {
    for (const root of typedRoots(exchange))
      for (const each of memberBreaches(exchange, root, 'type')) {
        if (!isOurs(exchange, each) || isSaidElsewhere(exchange, each)) continue;
        const { breach, type, member, found } = each;
        report('type', {
          data: { member, type, found: nameOf(found), expected: breach.expected },
          at: placeOf(root, breach),
          ...(breach.expected === undefined ? {} : { expected: breach.expected }),
          actual: found,
        });
      }
  },
});

function skill() {
  return { id: 'echo', name: 'Echo', description: 'Echoes what it is told' };
}
