import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1 } from '@plugfest/verifier/examples';

const remove = {
  method: 'DeleteTaskPushNotificationConfig',
  params: { taskId: 'task-1', id: 'config-1' },
} as const;

export default defineRule({
  id: 'RPC-025',
  level: 'INFO',
  party: 'server',
  summary: 'Deleting a push config gives `null` or an empty object; the text fixes neither.',
  spec: { '1.0': '3.1.10, 9.4.7' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['DeleteTaskPushNotificationConfig'],
  messages: { other: 'Deleting the push config gives {found} as its result' },
  why: 'Nothing is to be told, and clients expect nothing: one that parses strictly may stumble over anything else.',
  fix: 'Answer with `{}`, the JSON form of the empty message, or with `null`.',
  examples: {
    good: [[rpc({ ...remove, result: {} })], [rpc({ ...remove, result: null })]],
    skip: [
      [rpc({ ...remove, error: { code: -32603, message: 'Internal error' } })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [{ example: [rpc({ ...remove, result: true })], messages: ['other'] }],
  },
  when: ({ operation, response }) =>
    operation === 'DeleteTaskPushNotificationConfig' &&
    response?.rpc?.members.includes('result') === true &&
    response.error === undefined,
  check: ({ response }, { report }) => {
    const result = response?.rpc?.result;
    // Unknown members say nothing (section 5.7).
    if (result === undefined || result === null || isJsonObject(result)) return;
    report('other', {
      data: { found: result },
      at: { side: 'response', pointer: '/result' },
      expected: '`{}` or null',
      actual: result,
    });
  },
});
