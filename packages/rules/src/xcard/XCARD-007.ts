import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { routeRule } from '../rest/route-rule.ts';

const headers = { Authorization: 'Bearer t-1' } as const;
const privately = { 'Cache-Control': 'private, max-age=300' } as const;

export default routeRule({
  id: 'XCARD-007',
  operations: ['GetExtendedAgentCard'],
  route: 'GET {base}/extendedAgentCard',
  summary: 'Over HTTP+JSON the extended card is got by GET from `/extendedAgentCard`.',
  section: '11.3.4',
  // No stray path leaves no doubt that the extended card is meant.
  strays: false,
  good: [
    rest({
      verb: 'GET',
      path: '/extendedAgentCard',
      headers,
      response: v1.card(),
      responseHeaders: privately,
    }),
  ],
  bad: [rest({ verb: 'POST', path: '/extendedAgentCard', headers, body: {}, status: 405, responseText: '' })],
  skip: [[rpc({ method: 'GetExtendedAgentCard', headers, result: v1.card() })]],
});
