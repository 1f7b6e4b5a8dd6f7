import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v03 } from '@plugfest/verifier/examples';
import { isSend } from '../sent-message.ts';
import { isUnread } from '../unread-body.ts';

const message = { role: 'user', parts: [{ type: 'text', text: 'hello' }] };
const send = (params: Json, id = 'task-1') =>
  rpc({
    version: '0.3',
    method: 'tasks/send',
    params,
    result: { id, sessionId: 's-1', status: { state: 'working', timestamp: '2026-01-01T00:00:01Z' } },
  });

export default defineRule({
  id: 'SEND-029',
  level: 'MUST',
  party: 'client',
  summary: 'In 0.1 a send names its task by an `id` of the client, and has a message.',
  spec: { '0.1': '7.1.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    id: 'The send names no task: its `id` is {found}',
    message: 'The send has no message: `message` is {found}',
  },
  why: 'The server has nothing to do, or no name to do it under: the client cannot ask for the task later.',
  fix: 'Make an id for each new task and repeat it to go on with it; put the message into `params.message`.',
  examples: {
    good: [[send({ id: 'task-1', sessionId: 's-1', message })]],
    skip: [
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('hello') },
          result: v03.task('completed'),
        }),
      ],
    ],
    bad: [
      { example: [send({ sessionId: 's-1', message })], messages: ['id'] },
      { example: [send({ id: '', sessionId: 's-1', message })], messages: ['id'] },
      { example: [send({ id: 'task-1', sessionId: 's-1' })], messages: ['message'] },
    ],
  },
  when: (exchange) => {
    if (!isSend(exchange)) return false;
    const { state } = exchange.request.json;
    return isUnread(state) ? 'undecidable' : state === 'ok';
  },
  check: ({ request }, { report }) => {
    const params = isJsonObject(request.params) ? request.params : {};
    const { id, message: found } = params;
    if (typeof id !== 'string' || id === '')
      report('id', {
        data: { found: id ?? 'absent' },
        at: { side: 'request', pointer: '/params/id' },
        expected: 'an id',
        actual: id,
      });
    if (!isJsonObject(found))
      report('message', {
        data: { found: found ?? 'absent' },
        at: { side: 'request', pointer: '/params/message' },
        expected: 'a Message',
        actual: found,
      });
  },
});
