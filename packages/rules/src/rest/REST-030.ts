import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { restV03, v03 } from '@plugfest/verifier/examples';
import { isSuccess } from './success.ts';

const list = { verb: 'GET', path: '/v1/tasks' } as const;

export default defineRule({
  id: 'REST-030',
  level: 'INFO',
  party: 'server',
  summary: 'Where a 0.3 agent lists tasks over HTTP+JSON, which is optional, the list is a bare array.',
  spec: { '0.3': '7.3' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: { other: 'The list of tasks is {found}, where the text of 0.3 describes a bare array' },
  why: 'The text of 0.3 names the call and its proto does not have it: clients that read the one form find no tasks in the other.',
  fix: 'Nothing has to be done; a bare array is what the text describes.',
  examples: {
    good: [[restV03({ ...list, response: [v03.task('completed')] })]],
    skip: [
      [restV03({ ...list, status: 501, response: { code: 501, message: 'Not implemented' } })],
      [restV03({ verb: 'GET', path: '/v1/tasks/task-1', response: v03.task('working') })],
    ],
    bad: [
      {
        example: [restV03({ ...list, response: { tasks: [v03.task('completed')], next: '' } })],
        messages: ['other'],
      },
    ],
  },
  when: ({ operation, response }) =>
    operation === 'ListTasks' && isSuccess(response) && response.json.state === 'ok',
  check: ({ response }, { report }) => {
    const value = response?.json.value;
    if (value === undefined || Array.isArray(value)) return;
    const found = isJsonObject(value) ? Object.keys(value).sort().slice(0, 8).join(', ') : value;
    report('other', {
      data: { found: isJsonObject(value) ? `an object with ${found}` : value },
      at: { side: 'response', pointer: '' },
      expected: 'an array',
      actual: found,
    });
  },
});
