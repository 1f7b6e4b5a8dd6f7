import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { coreMethods, intendedMethod } from './method-names.ts';

const methods = new Set([...coreMethods('0.2'), ...coreMethods('0.3')]);
const notFound = { error: { code: -32601, message: 'Method not found' } } as const;
const categoryAction = /^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)+$/;

export default defineRule({
  id: 'RPC-003',
  level: 'MUST',
  party: 'client',
  summary: '`method` is a `category/action` name of 0.2 or 0.3, or that of an extension.',
  spec: { '0.2': '7', '0.3': '3.5.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    spelling: 'The method is {found}; this version calls it {expected}',
    form: 'The method {found} is no `category/action` name',
  },
  why: 'Method names are compared letter by letter, so the server answers that it does not know the method. A name of another form may be a method of an extension, so it is a warning.',
  fix: 'Use the names of the version, for example `message/send` or `tasks/get`.',
  examples: {
    good: [
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      {
        example: [rpc({ version: '0.3', method: 'tasks.get', params: { id: 'task-1' }, ...notFound })],
        messages: ['spelling'],
      },
      { example: [rpc({ version: '0.3', method: 'archive', params: {}, ...notFound })], messages: ['form'] },
    ],
  },
  when: ({ request }) => typeof request.rpc?.method === 'string' && request.rpc.method !== '',
  check: ({ request, dialect }, { report }) => {
    const found = request.rpc?.method;
    if (typeof found !== 'string' || methods.has(found)) return;
    const expected = intendedMethod(found, dialect?.version ?? '0.3');
    const at = { side: 'request', pointer: '/method' } as const;
    if (expected !== undefined)
      report('spelling', { data: { found, expected }, at, expected, actual: found });
    else if (!categoryAction.test(found))
      report('form', { data: { found }, at, outcome: 'warn', actual: found });
  },
});
