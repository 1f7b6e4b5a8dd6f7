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
  good: [
    { code: -32001, method: 'tasks/get', params: { id: 'task-9' } },
    { code: -32001, method: 'message/send', params: { message: v03.message('more', { taskId: 'task-9' }) } },
    { code: -32001, method: 'message/send', params: { message: v03.message('hi', { contextId: 'ctx-9' }) } },
    {
      code: -32001,
      method: 'message/send',
      params: { message: v03.message('and a hotel', { referenceTaskIds: ['task-9'] }) },
    },
    { code: -32002, method: 'tasks/cancel', params: { id: 'task-9' } },
    {
      code: -32003,
      method: 'tasks/pushNotificationConfig/set',
      params: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig() },
    },
    {
      code: -32003,
      method: 'message/send',
      params: {
        message: v03.message('hello'),
        configuration: { pushNotificationConfig: v03.pushConfig() },
      },
    },
  ],
  bad: [
    { code: -32007, method: 'message/send', params: { message: v03.message('hello') } },
    { code: -32001, method: 'message/send', params: { message: v03.message('hello') } },
    { code: -32001, method: 'agent/getAuthenticatedExtendedCard', params: {} },
    { code: -32002, method: 'tasks/get', params: { id: 'task-9' } },
    { code: -32003, method: 'tasks/get', params: { id: 'task-9' } },
  ],
});
