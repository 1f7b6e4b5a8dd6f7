import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';

const cancel = { verb: 'POST', path: '/tasks/task-1:cancel', response: v1.task('CANCELED') } as const;

export default defineRule({
  id: 'CANC-008',
  level: 'MAY',
  party: 'client',
  summary: 'The body of a cancel over HTTP+JSON is an object, which may be empty, or absent.',
  spec: { '1.0': '11.3.2' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  about: ['CancelTask'],
  messages: { body: 'The body of the cancel is {found}' },
  why: 'Servers read the body as a CancelTaskRequest, which is an object: another value is refused by some of them. Others take it for empty, and no sentence forbids it, so it is a warning.',
  fix: 'Send `{}`, the metadata in an object, or no body at all.',
  examples: {
    good: [
      [rest({ ...cancel, body: {} })],
      [rest({ ...cancel, body: { metadata: { reason: 'too slow' } } })],
    ],
    skip: [
      [rest(cancel)],
      [rpc({ method: 'CancelTask', params: { id: 'task-1' }, result: v1.task('CANCELED') })],
    ],
    bad: [{ example: [rest({ ...cancel, bodyText: 'null' })], messages: ['body'] }],
  },
  when: ({ operation, request }) => operation === 'CancelTask' && request.json.state === 'ok',
  check: ({ request }, { report }) => {
    const { value } = request.json;
    if (isJsonObject(value)) return;
    report('body', {
      outcome: 'warn',
      data: { found: value },
      at: { side: 'request', pointer: '' },
      expected: 'an object',
      actual: value,
    });
  },
});
