import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, v1 } from '@plugfest/verifier/examples';
import { isSuccess } from './success.ts';

const configs = '/tasks/task-1/pushNotificationConfigs';
const create = {
  verb: 'POST',
  path: configs,
  body: v1.pushConfig(),
  response: v1.pushConfig({ id: 'config-1' }),
} as const;
const remove = { verb: 'DELETE', path: `${configs}/config-1` } as const;

/** What may be expected of a success, as nothing is laid down. */
function isUsual(
  operation: DecodedExchange['operation'],
  { status, json }: NonNullable<DecodedExchange['response']>,
): boolean {
  if (operation === 'CreateTaskPushNotificationConfig') return status === 200 || status === 201;
  const isEmpty = json.state === 'absent' || json.value === null || isJsonObject(json.value);
  return isEmpty && (status === 200 || status === 204);
}

export default defineRule({
  id: 'REST-020',
  level: 'INFO',
  party: 'server',
  summary:
    'A push config is created with HTTP 200 or 201 and deleted with 200 or 204; the text fixes neither.',
  spec: { '1.0': '11.3.3' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  about: ['CreateTaskPushNotificationConfig', 'DeleteTaskPushNotificationConfig'],
  messages: { unusual: '{operation} succeeds with HTTP {status} and {found}' },
  why: 'Clients that test for one status, or parse whatever comes, take this success for a failure.',
  fix: 'Answer a creation with 200 and the config, and a deletion with 200 and `{}` or with 204.',
  examples: {
    good: [
      [rest(create)],
      [rest({ ...create, status: 201 })],
      [rest({ ...remove, response: {} })],
      [rest({ ...remove, status: 204, responseText: '' })],
      [rest({ ...remove, response: null })],
    ],
    skip: [
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      [rest({ ...create, response: restError(404, 'NOT_FOUND', 'No such task') })],
    ],
    bad: [
      { example: [rest({ ...create, status: 202 })], messages: ['unusual'] },
      { example: [rest({ ...remove, status: 202, responseText: '' })], messages: ['unusual'] },
      { example: [rest({ ...remove, status: 202, response: {} })], messages: ['unusual'] },
      { example: [rest({ ...remove, response: true })], messages: ['unusual'] },
    ],
  },
  when: ({ operation, response }) =>
    (operation === 'CreateTaskPushNotificationConfig' || operation === 'DeleteTaskPushNotificationConfig') &&
    isSuccess(response) &&
    response.error === undefined,
  check: ({ operation, response }, { report }) => {
    if (response === undefined || isUsual(operation, response)) return;
    const { state, value } = response.json;
    const found = state === 'absent' ? 'no body' : isJsonObject(value) ? 'an object' : 'another body';
    report('unusual', {
      data: { operation, status: response.status, found },
      at: { side: 'response' },
      expected: operation === 'CreateTaskPushNotificationConfig' ? '200 or 201' : '200 with `{}`, or 204',
      actual: response.status,
    });
  },
});
