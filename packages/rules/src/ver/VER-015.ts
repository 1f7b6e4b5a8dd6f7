import { defineRule, isMixedCall } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';

const error = { code: -32601, message: 'Method not found' };
const older = { version: '0.3', method: 'message/send', params: { message: v03.message('hello') } } as const;
/** A client that has shown itself as one of 0.2 before. */
const hello02 = rpc({ ...older, headers: { 'A2A-Version': '0.2' }, result: v03.task('completed') });
const oldest = {
  version: '0.3',
  method: 'tasks/send',
  params: {
    id: 'task-1',
    sessionId: 's-1',
    message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
  },
} as const;
const newer = { method: 'GetTask', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'VER-015',
  level: 'MUST',
  party: 'client',
  summary: 'A client calls methods of the version that it announces.',
  spec: { '0.1': '3.6.1 of 1.0', '0.2': '3.6.1 of 1.0', '0.3': '3.6.1 of 1.0', '1.0': '3.6.1, 9.4' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { mixed: 'The request announces {announced} and calls {method}, a method of another version' },
  why: 'An agent reads the request by the version in the header (section 3.6.2), in which there is no such method.',
  fix: 'Take method names, shapes and `A2A-Version` from one place: the interface of the card that is called.',
  examples: {
    good: [
      [rpc({ ...newer, result: v1.task('WORKING') })],
      [rpc({ ...older, headers: { 'A2A-Version': '0.3' }, result: v03.task('completed') })],
      // No version means 0.3 (section 3.6.2).
      [rpc({ ...older, result: v03.task('completed') })],
    ],
    skip: [
      [rpc({ ...newer, headers: { 'A2A-Version': undefined }, result: v1.task('WORKING') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    bad: [
      { example: [rpc({ ...older, headers: { 'A2A-Version': '1.0' }, error })], messages: ['mixed'] },
      {
        example: [hello02, rpc({ ...older, headers: { 'A2A-Version': '1.0' }, error })],
        messages: ['mixed'],
      },
      { example: [rpc({ ...oldest, headers: { 'A2A-Version': '1.0' }, error })], messages: ['mixed'] },
      { example: [rpc({ ...newer, headers: { 'A2A-Version': '0.3' }, error })], messages: ['mixed'] },
    ],
  },
  // A 1.0 request without version is VER-001.
  when: ({ request, operation, dialect }) =>
    operation !== undefined && (dialect.version !== '1.0' || (request.a2aVersion ?? '').trim() !== ''),
  check: (exchange, { report }) => {
    if (!isMixedCall(exchange)) return;
    const { request, wireMethod } = exchange;
    report('mixed', {
      data: { announced: request.a2aVersion, method: wireMethod },
      at: { side: 'request', header: 'A2A-Version' },
      expected: 'a method of the announced version',
      actual: wireMethod,
    });
  },
});
