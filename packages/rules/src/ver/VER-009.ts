import { defineRule, isMixedCall } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { isUndeclaredVersion } from './undeclared-version.ts';

const older = {
  version: '0.3',
  method: 'message/send',
  params: { message: v03.message('hello') },
  headers: { 'A2A-Version': '1.0' },
  purpose: 'probe',
} as const;
const newer = {
  method: 'GetTask',
  params: { id: 'task-1' },
  headers: { 'A2A-Version': '0.3' },
  purpose: 'probe',
} as const;
/** A client that has shown itself as one of 0.2 before. */
const hello02 = rpc({
  ...older,
  headers: { 'A2A-Version': '0.2' },
  result: v03.task('completed'),
});
const oldest = {
  version: '0.3',
  method: 'tasks/send',
  params: {
    id: 'task-1',
    sessionId: 's-1',
    message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
  },
  headers: { 'A2A-Version': '1.0' },
  purpose: 'probe',
} as const;
const error = { code: -32601, message: 'Method not found' };

export default defineRule({
  id: 'VER-009',
  level: 'SHOULD',
  party: 'server',
  summary: 'A method of another version than the announced one is refused.',
  spec: { '0.1': '3.6.2 of 1.0', '0.2': '3.6.2 of 1.0', '0.3': '3.6.2 of 1.0', '1.0': '3.6.2' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    mixed: 'The request announces {announced} and calls {method} of another version, and is served',
  },
  why: 'Nobody knows by which version such an answer is to be read; the client meets its fault later, as an unknown state or a missing part.',
  fix: 'Look for the method among those of the announced version, and answer MethodNotFoundError where it is none of them.',
  examples: {
    good: [
      [rpc({ ...older, error })],
      [rpc({ ...newer, error })],
      [hello02, rpc({ ...older, error })],
      [rpc({ ...oldest, error })],
    ],
    skip: [
      [rpc({ ...newer, headers: {}, result: v1.task('WORKING') })],
      [rpc({ ...older, headers: { 'A2A-Version': '0.3' }, result: v03.task('completed') })],
    ],
    bad: [
      { example: [rpc({ ...older, result: v03.task('completed') })], messages: ['mixed'] },
      { example: [hello02, rpc({ ...older, result: v03.task('completed') })], messages: ['mixed'] },
      {
        example: [
          rpc({
            ...oldest,
            result: {
              id: 'task-1',
              sessionId: 's-1',
              status: { state: 'working', timestamp: '2026-01-01T00:00:01Z' },
            },
          }),
        ],
        messages: ['mixed'],
      },
      { example: [rpc({ ...newer, result: v1.task('WORKING') })], messages: ['mixed'] },
    ],
  },
  when: (exchange) => isMixedCall(exchange) && (wasServed(exchange) || refusalOf(exchange) !== undefined),
  check: (exchange, { conversation, report }) => {
    if (!wasServed(exchange)) return;
    // That the interface does not declare the announced version is VER-004.
    if (exchange.dialect.version === '1.0' && isUndeclaredVersion(exchange, conversation)) return;
    report('mixed', {
      data: { announced: exchange.request.a2aVersion, method: exchange.wireMethod },
      at: { side: 'response', pointer: '' },
      expected: 'an error',
      actual: 'a result',
    });
  },
});
