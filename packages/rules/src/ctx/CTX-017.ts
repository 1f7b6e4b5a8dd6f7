import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v03 } from '@plugfest/verifier/examples';
import { placeOf, returnedTasks } from '../sent-message.ts';

const oldest = (asked: Readonly<Record<string, Json>>, answered: Readonly<Record<string, Json>>) =>
  rpc({
    version: '0.3',
    method: 'tasks/send',
    params: { id: 'mine-1', message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] }, ...asked },
    result: {
      id: 'mine-1',
      status: { state: 'completed', timestamp: '2026-01-01T00:00:09Z' },
      artifacts: [{ parts: [{ type: 'text', text: 'hi' }], index: 0 }],
      ...answered,
    },
  });

export default defineRule({
  id: 'CTX-017',
  level: 'MUST',
  party: 'server',
  summary: 'In 0.1 a session that the client names comes back in the task.',
  spec: { '0.1': '6.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    other: 'The client named session {asked}, the task belongs to session {found}',
    dropped: 'The client named session {asked}, the task names none',
  },
  why: 'The client groups tasks by session: this one is filed under another, and what was said before is not with it. The member is optional in a task, so to leave it out is a warning.',
  fix: 'Store `params.sessionId` with the task and return it; make one of your own only where the client sent none.',
  examples: {
    good: [[oldest({ sessionId: 's-1' }, { sessionId: 's-1' })]],
    skip: [
      [oldest({}, { sessionId: 's-9' })],
      [oldest({ sessionId: '' }, { sessionId: 's-9' })],
      [oldest({ sessionId: 1 }, { sessionId: 's-9' })],
      // Not a send.
      [
        rpc({
          version: '0.3',
          headers: { 'A2A-Version': '0.1' },
          method: 'tasks/get',
          params: { id: 'mine-1', sessionId: 's-1' },
          result: { id: 'mine-1', sessionId: 's-2', status: { state: 'working' } },
        }),
      ],
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
      { example: [oldest({ sessionId: 's-1' }, { sessionId: 's-2' })], messages: ['other'] },
      { example: [oldest({ sessionId: 's-1' }, {})], messages: ['dropped'], outcomes: ['warn'] },
      {
        example: [oldest({ sessionId: 's-1' }, { sessionId: null })],
        messages: ['dropped'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange) => namedSession(exchange) !== undefined && returnedTasks(exchange).length > 0,
  check: (exchange, { report }) => {
    const asked = namedSession(exchange);
    for (const payload of returnedTasks(exchange)) {
      const found = payload.task.value.sessionId;
      if (asked === undefined || found === asked) continue;
      const isLeftOut = found === undefined || found === null;
      report(isLeftOut ? 'dropped' : 'other', {
        ...(isLeftOut ? { outcome: 'warn' as const } : {}),
        data: { asked, found },
        at: placeOf(payload, '/sessionId'),
        expected: asked,
        actual: found,
      });
    }
  },
});

/** The session that a client names in a send. */
function namedSession({ operation, request }: DecodedExchange): string | undefined {
  if (operation !== 'SendMessage' && operation !== 'SendStreamingMessage') return undefined;
  if (!isJsonObject(request.params)) return undefined;
  const { sessionId } = request.params;
  return typeof sessionId === 'string' && sessionId !== '' ? sessionId : undefined;
}
