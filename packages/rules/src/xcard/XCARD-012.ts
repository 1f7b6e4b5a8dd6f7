import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { restV03, rpc, v03 } from '@plugfest/verifier/examples';

const call = { version: '0.3', method: 'agent/getAuthenticatedExtendedCard', purpose: 'probe' } as const;
const refused = { status: 401, responseText: '' } as const;
const challenge = { 'WWW-Authenticate': 'Bearer realm="agent"' };

export default defineRule({
  id: 'XCARD-012',
  level: 'SHOULD',
  party: 'server',
  summary:
    'Who asks for the extended card without valid credentials learns from `WWW-Authenticate` which are wanted.',
  spec: { '0.3': '7.10' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  about: ['GetExtendedAgentCard'],
  shown: 'failure',
  messages: { missing: 'The HTTP 401 to the call for the extended card has no `WWW-Authenticate`' },
  why: 'The client cannot tell whether its token has run out, or another kind of credentials is wanted.',
  fix: 'Send `WWW-Authenticate` with the 401, and name a scheme that the public card declares.',
  examples: {
    good: [
      [rpc({ ...call, ...refused, responseHeaders: challenge })],
      [restV03({ verb: 'GET', path: '/v1/card', purpose: 'probe', ...refused, responseHeaders: challenge })],
    ],
    skip: [
      [rpc({ ...call, headers: { Authorization: 'Bearer t-1' }, result: v03.card() })],
      [rpc({ ...call, status: 403, responseText: '' })],
    ],
    bad: [{ example: [rpc({ ...call, ...refused })], messages: ['missing'] }],
  },
  when: ({ operation, response }) => operation === 'GetExtendedAgentCard' && response?.status === 401,
  check: ({ captured }, { report }) => {
    if (header(captured.response?.headers ?? [], 'www-authenticate')?.trim()) return;
    report('missing', {
      at: { side: 'response', header: 'www-authenticate' },
      expected: 'a challenge such as Bearer realm="agent"',
    });
  },
});
