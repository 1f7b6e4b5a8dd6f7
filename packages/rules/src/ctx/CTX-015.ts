import type { DecodedExchange, Payload } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';

const get = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' } } as const;
const stream = {
  version: '0.3',
  method: 'message/stream',
  params: { message: v03.message('hello') },
} as const;

export default defineRule({
  id: 'CTX-015',
  level: 'MUST',
  party: 'server',
  summary: 'Every Task, status event and artifact event of 0.2 and 0.3 has a `contextId`.',
  spec: { '0.2': '6.1', '0.3': '6.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { missing: 'The {kind} has no `contextId`' },
  why: 'Strict clients refuse the object, and the others cannot tell to which conversation it belongs.',
  fix: 'Make a `contextId` for every task, and repeat it in all of its events; an empty text is none.',
  examples: {
    good: [
      [rpc({ ...get, result: v03.task('working') })],
      [rpcStream({ ...stream, events: [v03.task('working'), v03.statusUpdate('completed')] })],
    ],
    skip: [
      [rpc({ ...get, error: { code: -32001, message: 'No such task' } })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [rpc({ ...get, result: v03.task('working', { contextId: undefined }) })],
        messages: ['missing'],
      },
      {
        example: [
          rpcStream({
            ...stream,
            events: [
              v03.task('working'),
              v03.artifactUpdate('x', { contextId: '' }),
              v03.artifactUpdate('y', { contextId: '', append: true }),
              v03.statusUpdate('completed', { contextId: '' }),
            ],
          }),
        ],
        messages: ['missing', 'missing'],
      },
    ],
  },
  when: (exchange) => shown(exchange).length > 0,
  check: (exchange, { report }) => {
    const reported = new Set<string>();
    for (const payload of shown(exchange)) {
      const { contextId, value } = payload.kind === 'task' ? payload.task : payload.update;
      // A server leaves it out of all events of a kind: once each is enough.
      if (contextId || reported.has(payload.kind)) continue;
      reported.add(payload.kind);
      report('missing', {
        data: { kind: payload.kind },
        at: placeOf(payload, '/contextId'),
        expected: 'a non-empty id',
        actual: value.contextId,
      });
    }
  },
});

type Shown = Payload & { readonly kind: 'task' | 'statusUpdate' | 'artifactUpdate' };

const shown = ({ payloads }: DecodedExchange): readonly Shown[] =>
  payloads.filter(
    (payload): payload is Shown =>
      payload.side === 'response' &&
      (payload.kind === 'task' || payload.kind === 'statusUpdate' || payload.kind === 'artifactUpdate'),
  );
