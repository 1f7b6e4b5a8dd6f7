import { v03 } from '@plugfest/verifier/examples';
import { legacyMeaningRule, pushNotSupported, taskNotCancelable, taskNotFound } from './legacy-meaning.ts';

export default legacyMeaningRule({
  id: 'ERR-025',
  level: 'SHOULD',
  version: '0.2',
  summary: 'The codes -32001 to -32006 have their 0.2 meaning.',
  fix: 'Use the table of section 8.2: -32001 for missing tasks, -32002 for tasks that cannot be cancelled, -32003 for push notifications.',
  meanings: [taskNotFound, taskNotCancelable, pushNotSupported],
  good: [
    { code: -32001, method: 'tasks/get', params: { id: 'task-9' } },
    { code: -32003, method: 'tasks/pushNotificationConfig/get', params: { id: 'task-1' } },
  ],
  bad: [
    { code: -32002, method: 'message/send', params: { message: v03.message('hello') } },
    { code: -32003, method: 'message/send', params: { message: v03.message('hello') } },
  ],
});
