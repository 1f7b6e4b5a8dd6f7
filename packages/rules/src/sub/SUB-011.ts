import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpcStream, v03 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';

const subscribe = (params: Json) =>
  rpcStream({
    version: '0.3',
    method: 'tasks/resubscribe',
    params,
    events: [
      {
        id: 'task-1',
        status: {
          state: 'completed',
          timestamp: '2026-01-01T00:00:01Z',
          message: { role: 'agent', parts: [{ type: 'text', text: 'done' }] },
        },
        final: true,
      },
    ],
  });

export default defineRule({
  id: 'SUB-011',
  level: 'MUST',
  party: 'client',
  summary: 'In 0.1 a subscription names its task by `id`; a `historyLength` may come with it.',
  spec: { '0.1': '7.7' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['SubscribeToTask'],
  messages: {
    id: 'The subscription names no task: its `id` is {found}',
    history: 'The `historyLength` of the subscription is {found}, which is no number',
  },
  why: 'The server cannot tell which task is meant and refuses, while the events of the task go on unheard.',
  fix: 'Send `{"id": "<task>"}` as params, the same as for `tasks/get`.',
  examples: {
    good: [
      [subscribe({ id: 'task-1' })],
      [subscribe({ id: 'task-1', historyLength: 0 })],
      [subscribe({ id: 'task-1', historyLength: null })],
    ],
    skip: [
      [
        rpcStream({
          version: '0.3',
          method: 'tasks/resubscribe',
          params: { id: 'task-1' },
          events: [v03.statusUpdate('working'), v03.statusUpdate('completed')],
        }),
      ],
    ],
    bad: [
      { example: [subscribe({ taskId: 'task-1' })], messages: ['id'] },
      { example: [subscribe({ id: '' })], messages: ['id'] },
      { example: [subscribe({ id: 'task-1', historyLength: 'all' })], messages: ['history'] },
    ],
  },
  when: ({ operation, request }) => {
    if (operation !== 'SubscribeToTask') return false;
    return isUnread(request.json.state) ? 'undecidable' : request.json.state === 'ok';
  },
  check: ({ request }, { report }) => {
    const { id, historyLength } = isJsonObject(request.params) ? request.params : {};
    if (typeof id !== 'string' || id === '')
      report('id', {
        data: { found: id ?? 'absent' },
        at: { side: 'request', pointer: '/params/id' },
        expected: 'an id',
        actual: id,
      });
    // 0.1 allowed null for what is not set.
    if (historyLength !== undefined && historyLength !== null && typeof historyLength !== 'number')
      report('history', {
        data: { found: historyLength },
        at: { side: 'request', pointer: '/params/historyLength' },
        expected: 'a number',
        actual: historyLength,
      });
  },
});
