import { legacyMeaningRule, pushNotSupported, taskNotCancelable } from './legacy-meaning.ts';

const sent = { id: 'task-1', message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] } };

export default legacyMeaningRule({
  id: 'ERR-026',
  level: 'SHOULD',
  version: '0.1',
  summary: 'The codes -32001 to -32011 have their 0.1 meaning, which no later version shares from -32006 on.',
  fix: 'Use the table of 0.1, section 8.2: -32006 for streaming, -32007 and -32008 for authentication and authorisation, -32009 for the state of the task, -32010 for rate limits, -32011 for missing resources.',
  meanings: [
    taskNotCancelable,
    pushNotSupported,
    {
      code: -32006,
      name: 'StreamingNotSupportedError',
      about: 'tasks/sendSubscribe and tasks/resubscribe',
      fits: ({ operation }) => operation === 'SendStreamingMessage' || operation === 'SubscribeToTask',
    },
  ],
  good: [
    { code: -32006, method: 'tasks/sendSubscribe', params: sent },
    { code: -32006, method: 'tasks/resubscribe', params: { id: 'task-1' } },
    { code: -32002, method: 'tasks/cancel', params: { id: 'task-1' } },
  ],
  bad: [
    { code: -32006, method: 'tasks/send', params: sent },
    { code: -32003, method: 'tasks/cancel', params: { id: 'task-1' } },
  ],
});
