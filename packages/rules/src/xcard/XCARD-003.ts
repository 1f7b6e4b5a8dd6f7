import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { refusesCaller, wasServed } from '../refusal.ts';
import { isAnonymous } from './anonymous-call.ts';

const probe = { method: 'GetExtendedAgentCard', purpose: 'probe' } as const;
const probe03 = { version: '0.3', method: 'agent/getAuthenticatedExtendedCard', purpose: 'probe' } as const;
const challenge = {
  status: 401,
  responseHeaders: { 'WWW-Authenticate': 'Bearer' },
  responseText: '',
} as const;
const byCertificate = v1.card({
  capabilities: { extendedAgentCard: true },
  securitySchemes: { cert: { mtlsSecurityScheme: {} } },
});

export default defineRule({
  id: 'XCARD-003',
  level: 'MUST',
  party: 'server',
  summary: 'The extended card is given to authenticated callers only.',
  spec: { '0.3': '7.10', '1.0': '13.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetExtendedAgentCard'],
  messages: { served: 'The agent gives its extended card to a call without credentials' },
  why: 'The extended card may name skills and limits of one customer; without the check anybody reads them.',
  fix: 'Authenticate the caller by one of the schemes of the public card, and answer HTTP 401 without credentials.',
  examples: {
    good: [
      [rpc({ ...probe, ...challenge })],
      [rest({ verb: 'GET', path: '/extendedAgentCard', purpose: 'probe', ...challenge })],
      [rpc({ ...probe03, ...challenge })],
    ],
    skip: [
      [rpc({ ...probe, headers: { Authorization: 'Bearer t-1' }, result: v1.card() })],
      [rpc({ ...probe, headers: { 'X-Api-Key': 'k-1' }, result: v1.card() })],
      // Client certificates are not in the capture.
      [rpc({ method: 'GetExtendedAgentCard', result: v1.card() })],
      [getCard(byCertificate), rpc({ ...probe, result: v1.card() })],
    ],
    bad: [
      { example: [rpc({ ...probe, result: v1.card() })], messages: ['served'] },
      { example: [rpc({ ...probe03, result: v03.card() })], messages: ['served'] },
    ],
  },
  when: (exchange, { conversation }) => {
    if (exchange.operation !== 'GetExtendedAgentCard' || !isAnonymous(exchange, conversation)) return false;
    return wasServed(exchange) || refusesCaller(exchange);
  },
  check: (exchange, { report }) => {
    if (!wasServed(exchange)) return;
    report('served', { at: { side: 'response' }, expected: 'HTTP 401', actual: exchange.response?.status });
  },
});
