import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { grpc, rest, restStream, rpc, v1 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';

const params = { message: v1.message('hello') };
const call = { method: 'SendMessage', params } as const;
const post = { verb: 'POST', path: '/message:send', body: params } as const;

export default defineRule({
  id: 'SEND-003',
  level: 'MUST',
  party: 'server',
  summary: 'A send is answered with a Task or with a Message, and not with both.',
  spec: { '1.0': '3.1.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage'],
  messages: {
    neither: 'The answer to the send holds neither a Task nor a Message',
    both: 'The answer to the send holds a Task and a Message',
  },
  where: { both: { bindings: ['JSONRPC', 'HTTP+JSON'] } },
  why: 'The client has to know whether the work is done or goes on under a task; from this answer it cannot tell.',
  fix: 'Answer with a Message where the work is done at once, or else with the Task; never with an event, an empty result or both.',
  examples: {
    good: [
      [rpc({ ...call, result: { task: v1.task('COMPLETED') } })],
      [rest({ ...post, response: { message: v1.reply('hi') } })],
    ],
    skip: [
      [rpc({ ...call, error: { code: -32602, message: 'Invalid parameters' } })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      // Errors, streams and other texts are the matter of other rules.
      [rpc({ ...call, status: 500, result: null })],
      [
        rpc({
          ...call,
          responseBody: { jsonrpc: '2.0', id: 1, result: null, error: { code: -32603, message: 'Failed' } },
        }),
      ],
      [restStream({ ...post, events: [v1.statusUpdate('COMPLETED')] })],
      [rest({ ...post, responseText: 'Here you are' })],
    ],
    bad: [
      ...[null, { text: 'hi', done: true }].map((result) => ({
        example: [rpc({ ...call, result })],
        messages: ['neither'] as const,
      })),
      { example: [grpc({ method: 'SendMessage', request: params, response: {} })], messages: ['neither'] },
      { example: [rest({ ...post, response: v1.statusUpdate('COMPLETED') })], messages: ['neither'] },
      {
        example: [rpc({ ...call, result: { task: v1.task('COMPLETED'), message: v1.reply('hi') } })],
        messages: ['both'],
      },
    ],
  },
  when: ({ operation, response, dialect }) => {
    if (operation !== 'SendMessage' || response === undefined || response.events !== undefined) return false;
    if (response.error !== undefined || response.status > 299) return false;
    const { state } = response.json;
    if (isUnread(state)) return 'undecidable';
    if (state !== 'ok') return false;
    return dialect?.binding !== 'JSONRPC' || response.rpc?.members.includes('result') === true;
  },
  check: ({ response, payloads, dialect }, { report }) => {
    const kinds = payloads.filter(({ side }) => side === 'response').map(({ kind }) => kind);
    const answers = kinds.filter((kind) => kind === 'task' || kind === 'message');
    const at = { side: 'response', pointer: response?.pointer ?? '' } as const;
    const expected = '{"task": …} or {"message": …}';
    if (answers.length > 1) report('both', { at, expected });
    if (answers.length === 0) {
      const found = response?.result;
      // Over HTTP+JSON a body that is no object is the matter of REST-019.
      if (dialect.binding === 'HTTP+JSON' && !isJsonObject(found)) return;
      report('neither', {
        at,
        expected,
        actual: isJsonObject(found) ? Object.keys(found).join(', ') : found,
      });
    }
  },
});
