import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { faultless03, faultless10, gotLegacyTask } from './traffic-without-fault.ts';

const kinds: Readonly<Record<string, string>> = {
  Task: 'task',
  Message: 'message',
  TaskStatusUpdateEvent: 'status-update',
  TaskArtifactUpdateEvent: 'artifact-update',
};
const hasKind = ({ type }: TypedObject): boolean => type in kinds;

export default defineRule({
  id: 'JSON-026',
  level: 'MUST',
  party: 'sender',
  summary: 'Tasks, messages and events say what they are in `kind`.',
  spec: { '0.2': '6.1', '0.3': '6.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    missing: 'The {type} has no `kind`; it has to be "{expected}"',
    wrong: 'The `kind` of the {type} is {found} instead of "{expected}"',
  },
  why: 'A result or an event may be one of several objects and `kind` tells which; SDKs refuse it as neither.',
  fix: 'Set `kind` on every object, also on messages inside a status or a history.',
  examples: {
    good: [faultless03.rpc, faultless03.stream],
    skip: [faultless10.rpc, [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })]],
    bad: [
      { example: gotLegacyTask({ kind: undefined }), messages: ['missing'] },
      // Whoever leaves it out once leaves it out everywhere.
      {
        example: gotLegacyTask({
          history: ['one', 'two'].map((text) => v03.message(text, { kind: undefined })),
        }),
        messages: ['missing'],
      },
      {
        example: gotLegacyTask({
          status: v03.status('completed', {
            message: v03.reply('hi', { taskId: 'task-1', kind: undefined }),
          }),
        }),
        messages: ['missing'],
      },
      {
        example: [
          rpcStream({
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message('hello') },
            events: [v03.task('working'), v03.statusUpdate('completed', { kind: 'statusUpdate' })],
          }),
        ],
        messages: ['wrong'],
      },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'message/send',
            params: { message: v03.message('hello', { kind: undefined }) },
            result: v03.task('completed'),
          }),
        ],
        messages: ['missing'],
      },
    ],
  },
  when: (exchange) => someObject(exchange, hasKind),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all) {
      let reported: Set<string> | undefined;
      for (const { type, value, pointer } of document.objects) {
        const expected = kinds[type];
        if (expected === undefined || value.kind === expected || reported?.has(type)) continue;
        reported ??= new Set();
        reported.add(type);
        report(value.kind === undefined ? 'missing' : 'wrong', {
          data: { type, found: value.kind, expected },
          at: placeIn(document, `${pointer}/kind`),
          expected,
          actual: value.kind,
        });
      }
    }
  },
});
