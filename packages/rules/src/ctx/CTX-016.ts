import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1 } from '@plugfest/verifier/examples';
import { placeOf, returnedTasks } from '../sent-message.ts';

const oldest = (id: Json | undefined, asked: Json = 'mine-1') =>
  rpc({
    version: '0.3',
    method: 'tasks/send',
    params: {
      id: asked,
      sessionId: 's-1',
      message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
    },
    result: {
      ...(id === undefined ? {} : { id }),
      sessionId: 's-1',
      status: { state: 'completed', timestamp: '2026-01-01T00:00:09Z' },
      artifacts: [{ parts: [{ type: 'text', text: 'hi' }], index: 0 }],
    },
  });

export default defineRule({
  id: 'CTX-016',
  level: 'MUST',
  party: 'server',
  summary: 'In 0.1 the client names the task, and the server answers under that id.',
  spec: { '0.1': '6.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['SendMessage'],
  messages: { other: 'The client named the task {asked}, the answer comes under {found}' },
  why: 'The client asks for the task under the id that it chose, and does not find it.',
  fix: 'Store the task under `params.id` and return this id.',
  examples: {
    good: [[oldest('mine-1')]],
    skip: [
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
      // No name at all is the matter of other rules.
      [oldest('made-1', '')],
      [oldest('made-1', 1)],
    ],
    bad: [
      { example: [oldest('yours-1')], messages: ['other'] },
      { example: [oldest(undefined)], messages: ['other'] },
    ],
  },
  when: (exchange) => named(exchange) !== undefined && returnedTasks(exchange).length > 0,
  check: (exchange, { report }) => {
    const asked = named(exchange);
    for (const payload of returnedTasks(exchange)) {
      const found = payload.task.id;
      if (asked === undefined || found === asked) continue;
      report('other', {
        data: { asked, found: found ?? 'no id' },
        at: placeOf(payload, '/id'),
        expected: asked,
        actual: found,
      });
    }
  },
});

/** The id that the client gave the task in a send. */
function named({ operation, request }: DecodedExchange): string | undefined {
  if (operation !== 'SendMessage' || !isJsonObject(request.params)) return undefined;
  const { id } = request.params;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
