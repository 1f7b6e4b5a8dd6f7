import { v03 } from '@plugfest/verifier/examples';
import { legacyMeaningRule, pushNotSupported, taskNotCancelable, taskNotFound } from './legacy-meaning.ts';

export default legacyMeaningRule({
  id: 'ERR-024',
  level: 'MUST',
  version: '0.3',
  summary: 'The codes -32001 to -32007 have their 0.3 meaning.',
  fix: 'Use the table of section 8.2: -32001 for missing tasks, -32002 for tasks that cannot be cancelled, -32003 for push notifications, -32007 for the authenticated extended card.',
  meanings: [
    taskNotFound,
    taskNotCancelable,
    pushNotSupported,
    {
      code: -32007,
      name: 'AuthenticatedExtendedCardNotConfiguredError',
      about: 'the authenticated extended card',
      fits: ({ operation }) => operation === 'GetExtendedAgentCard',
    },
  ],
  good: { code: -32001, method: 'tasks/get', params: { id: 'task-9' } },
  bad: { code: -32007, method: 'message/send', params: { message: v03.message('hello') } },
});
