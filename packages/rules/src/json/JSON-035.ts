import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rpc, v03 } from '@plugfest/verifier/examples';
import { documentsOf } from './documents.ts';
import { faultless03, faultless10 } from './traffic-without-fault.ts';
import { memberBreaches, placeOf, type TypedRoot, typedRoots } from './typed-roots.ts';

/**
 * Messages and what carries them are SEND-001, SEND-029 and JSON-007; the params of push config operations are PUSH-022
 * and PUSH-023, and authentication is PUSH-014.
 */
const judgedTypes = new Set(['TaskIdParams', 'TaskQueryParams', 'PushNotificationConfig']);

const isConfigCall = ({ wireMethod }: DecodedExchange): boolean =>
  wireMethod?.startsWith('tasks/pushNotification') === true;

const isParams = ({ side, definition }: TypedRoot): boolean =>
  side === 'request' && (definition.endsWith('Params') || definition === 'TaskPushNotificationConfig');

const set = {
  version: '0.3',
  method: 'tasks/pushNotificationConfig/set',
  result: { taskId: 'task-1', pushNotificationConfig: { id: 'c-1', url: 'https://client.example/hook' } },
} as const;

export default defineRule({
  id: 'JSON-035',
  level: 'MUST',
  party: 'client',
  summary: 'Before 1.0, the parameters of a call have every member that its method requires.',
  spec: { '0.1': '7', '0.2': '7', '0.3': '7' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { missing: 'The {type} of {method} has no `{member}`' },
  why: 'The agent cannot know which task or which config is meant, and refuses the call, or takes the wrong one.',
  fix: 'Set the member. A client of 1.0 that calls a method of an older version has to use its names, too.',
  examples: {
    good: [
      faultless03.rpc,
      [
        rpc({
          version: '0.3',
          method: 'tasks/get',
          params: { id: 'task-1' },
          result: v03.task('completed'),
        }),
      ],
      [
        rpc({
          ...set,
          params: { taskId: 'task-1', pushNotificationConfig: { url: 'https://client.example/hook' } },
        }),
      ],
    ],
    skip: [faultless10.rpc],
    bad: [
      {
        example: [
          rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { taskId: 'task-1' },
            error: { code: -32602, message: 'id is missing' },
          }),
        ],
        messages: ['missing'],
      },
      {
        example: [
          rpc({ ...set, params: { taskId: 'task-1', pushNotificationConfig: { token: 'token-1' } } }),
        ],
        messages: ['missing'],
      },
    ],
  },
  when: (exchange) => {
    if (typedRoots(exchange).some(isParams)) return true;
    return documentsOf(exchange).cut && exchange.request.rpc === undefined ? 'undecidable' : false;
  },
  check: (exchange, { report }) => {
    // In 0.1 the task of a subscription is SUB-011.
    if (exchange.dialect.version === '0.1' && exchange.operation === 'SubscribeToTask') return;
    for (const root of typedRoots(exchange).filter(isParams))
      for (const { breach, type, member } of memberBreaches(exchange, root, 'required')) {
        if (!judgedTypes.has(type) || (type !== 'PushNotificationConfig' && isConfigCall(exchange))) continue;
        report('missing', {
          data: { type, member, method: exchange.wireMethod },
          at: placeOf(root, breach),
          expected: `the member ${member}`,
        });
      }
  },
});
