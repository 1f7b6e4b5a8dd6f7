import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { shownDialect } from './shown-dialect.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'VER-005',
  level: 'MUST',
  party: 'server',
  summary: 'A 1.0 request is answered in the shapes of 1.0.',
  spec: { '1.0': '3.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  messages: { older: 'The answer shows a {kind} in the shape of an older version' },
  why: 'The client asked for 1.0 and reads the answer so: it sees unknown states and no content.',
  fix: 'Choose the serialiser by the version of the request, also for events of streams.',
  examples: {
    good: [
      [rpc({ ...get, result: v1.task('WORKING') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    skip: [
      [rpc({ ...get, error: { code: -32603, message: 'Internal error' } })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    bad: [
      { example: [rpc({ ...get, result: v03.task('working') })], messages: ['older'] },
      {
        example: [rest({ verb: 'GET', path: '/tasks/task-1', response: v03.task('working') })],
        messages: ['older'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [{ task: v1.task('WORKING') }, v03.statusUpdate('completed')],
          }),
        ],
        messages: ['older'],
      },
    ],
  },
  when: ({ payloads }) =>
    payloads.some((payload) => payload.side === 'response' && shownDialect(payload) !== undefined),
  check: ({ payloads }, { report }) => {
    const older = payloads.find(
      (payload) => payload.side === 'response' && shownDialect(payload) === 'older',
    );
    if (older === undefined) return;
    const { event, pointer, kind } = older;
    report('older', {
      data: { kind },
      at: { side: 'response', pointer, ...(event === undefined ? {} : { event }) },
      expected: 'the shapes of 1.0',
    });
  },
});
