import { defineRule } from '@plugfest/verifier';
import { grpc, restV03, rpc, v03 } from '@plugfest/verifier/examples';

const headers = { Authorization: 'Bearer t-1' } as const;
const responseHeaders = { 'Cache-Control': 'private' } as const;
const get = { verb: 'GET', headers, responseHeaders, response: v03.card() } as const;

export default defineRule({
  id: 'XCARD-014',
  level: 'MUST',
  party: 'client',
  summary: 'In 0.3 the extended card is got by GET from `/v1/card`, and over gRPC by `GetAgentCard`.',
  spec: { '0.3': '3.5.6' },
  bindings: ['HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetExtendedAgentCard'],
  messages: { route: 'The client asks for the extended card by {found} instead of GET /v1/card' },
  // Another method of gRPC is another operation, or none.
  where: { route: { bindings: ['HTTP+JSON'] } },
  why: 'A server finds the operation by verb and path alone, and answers 404 or 405.',
  fix: 'Call GET {base}/v1/card, where {base} is the URL of the HTTP+JSON interface in the card.',
  examples: {
    good: [
      [restV03({ ...get, path: '/v1/card' })],
      [
        grpc({
          version: '0.3',
          method: 'GetAgentCard',
          metadata: { authorization: 'Bearer t-1' },
          request: {},
          response: v03.card(),
        }),
      ],
    ],
    skip: [
      [rpc({ version: '0.3', method: 'agent/getAuthenticatedExtendedCard', headers, result: v03.card() })],
      [restV03({ verb: 'GET', path: '/v1/tasks/task-1', status: 401, responseText: '' })],
    ],
    bad: [
      { example: [restV03({ ...get, path: '/v1/card', verb: 'POST', body: {} })], messages: ['route'] },
      {
        example: [
          restV03({ ...get, path: '/v1/extendedAgentCard', status: 404, response: { detail: 'Not Found' } }),
        ],
        messages: ['route'],
      },
    ],
  },
  when: ({ operation }) => operation === 'GetExtendedAgentCard',
  check: ({ dialect, captured, request, wireMethod = '' }, { report }) => {
    if (dialect?.binding !== 'HTTP+JSON' || wireMethod === 'GET /v1/card') return;
    const found = `${captured.request.method} ${request.path}`;
    report('route', { data: { found }, at: { side: 'request' }, expected: 'GET /v1/card', actual: found });
  },
});
