import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { similarMethod } from '../xcard/method-name.ts';
import { coreMethods, intendedMethod } from './method-names.ts';

const methods = coreMethods('1.0');
const notFound = { error: { code: -32601, message: 'Method not found' } } as const;

export default defineRule({
  id: 'RPC-002',
  level: 'MUST',
  party: 'client',
  summary: '`method` is one of the eleven PascalCase names of 1.0, or that of an extension.',
  spec: { '1.0': '9.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    spelling: 'The method is {found}; 1.0 calls it {expected}',
    unknown: 'The method {found} is not of 1.0: nothing answers it unless an extension defines it',
  },
  why: 'Method names are compared letter by letter, so the server answers that it does not know the method. A name that resembles none of A2A may be a method of an extension, so it is a warning.',
  fix: 'Use the names of section 5.3, for example `SendMessage` or `GetTask`.',
  examples: {
    good: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    skip: [
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [rpc({ method: 'getTask', params: { id: 'task-1' }, ...notFound })],
        messages: ['spelling'],
      },
      {
        example: [rpc({ method: 'ArchiveTask', params: { id: 'task-1' }, ...notFound })],
        messages: ['unknown'],
      },
    ],
  },
  when: ({ request }) => typeof request.rpc?.method === 'string' && request.rpc.method !== '',
  check: ({ request }, { report }) => {
    const found = request.rpc?.method;
    // Other names for the extended card are XCARD-006.
    if (typeof found !== 'string' || methods.has(found) || similarMethod.test(found)) return;
    const expected = intendedMethod(found, '1.0');
    const at = { side: 'request', pointer: '/method' } as const;
    if (expected === undefined) report('unknown', { data: { found }, at, outcome: 'warn', actual: found });
    else report('spelling', { data: { found, expected }, at, expected, actual: found });
  },
});
