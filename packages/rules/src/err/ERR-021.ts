import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';

const response = restError(503, 'UNAVAILABLE', 'Too much to do');
const fetch = { verb: 'GET', path: '/tasks/task-1', status: 503, response } as const;
const call = { method: 'GetTask', params: { id: 'task-1' }, status: 429, responseText: '' } as const;
const wait = (value: string) => ({ responseHeaders: { 'Retry-After': value } });

export default defineRule({
  id: 'ERR-021',
  level: 'INFO',
  party: 'server',
  summary: 'A failure that passes says in `Retry-After` when to come again.',
  spec: { '1.0': '3.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    absent: 'The answer HTTP {status} does not say when to come again',
    form: '`Retry-After` is neither a number of seconds nor a date: {found}',
  },
  why: 'Without a hint every client chooses its own delay, and all of them come back while the agent is still busy. The hint is optional, so this is noted only.',
  fix: 'Send `Retry-After` with 429 and 503: seconds, or an HTTP date.',
  examples: {
    good: [[rest({ ...fetch, ...wait('30') })], [rpc({ ...call, ...wait('Thu, 01 Jan 2026 00:01:00 GMT') })]],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', status: 502, responseText: '' })],
    ],
    bad: [
      { example: [rest(fetch)], messages: ['absent'] },
      { example: [rpc(call)], messages: ['absent'] },
      { example: [rpc({ ...call, ...wait('soon') })], messages: ['form'] },
      { example: [rpc({ ...call, ...wait('30s') })], messages: ['form'] },
      { example: [rpc({ ...call, ...wait('about 30') })], messages: ['form'] },
    ],
  },
  when: ({ response }) => response?.status === 429 || response?.status === 503,
  check: ({ captured, response }, { report }) => {
    const at = { side: 'response', header: 'retry-after' } as const;
    const value = header(captured.response?.headers ?? [], 'retry-after');
    if (!value)
      report('absent', { data: { status: response?.status }, at, expected: 'a `Retry-After` header' });
    else if (!/^\d{1,9}$/.test(value) && Number.isNaN(Date.parse(value)))
      report('form', { data: { found: value.slice(0, 100) }, at, expected: 'seconds, or an HTTP date' });
  },
});
