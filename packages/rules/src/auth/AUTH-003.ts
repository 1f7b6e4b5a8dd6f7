import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';

const get = { verb: 'GET', path: '/tasks/task-1', status: 401, responseText: '' } as const;
const call = { method: 'GetTask', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'AUTH-003',
  level: 'SHOULD',
  party: 'server',
  summary: 'An HTTP 401 says in `WWW-Authenticate` how to authenticate.',
  spec: { '0.1': '4.4', '0.2': '4.4', '0.3': '4.4', '1.0': '7.4' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  messages: { missing: 'The HTTP 401 has no `WWW-Authenticate` header' },
  why: 'A client with several kinds of credentials cannot tell which one is wanted, nor whether its token has run out.',
  fix: 'Send `WWW-Authenticate` with every 401 and name a scheme that the card declares, e.g. `Bearer realm="agent"`.',
  examples: {
    good: [
      [rest({ ...get, responseHeaders: { 'WWW-Authenticate': 'Bearer realm="agent"' } })],
      [rpc({ ...call, status: 401, responseText: '', responseHeaders: { 'WWW-Authenticate': 'Basic' } })],
    ],
    skip: [
      [rest({ ...get, status: 403 })],
      [rpc({ ...call, result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'agent/getAuthenticatedExtendedCard', status: 401, responseText: '' })],
    ],
    bad: [
      { example: [rest(get)], messages: ['missing'] },
      { example: [rpc({ ...call, status: 401, responseText: '' })], messages: ['missing'] },
    ],
  },
  when: ({ response, operation, dialect }) =>
    response?.status === 401 &&
    // There 7.10 says it for this operation by itself, which XCARD-012 judges.
    !(operation === 'GetExtendedAgentCard' && dialect?.version === '0.3'),
  check: ({ captured }, { report }) => {
    if (header(captured.response?.headers ?? [], 'www-authenticate')?.trim()) return;
    report('missing', {
      at: { side: 'response', header: 'www-authenticate' },
      expected: 'a challenge such as Bearer realm="agent"',
    });
  },
});
