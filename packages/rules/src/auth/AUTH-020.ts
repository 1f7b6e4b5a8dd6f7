import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { deliver, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { productionCall } from './production.ts';
import { atPublicAddress } from './production-traffic.ts';

const hsts = { responseHeaders: { 'Strict-Transport-Security': 'max-age=31536000' } } as const;
const call = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;
const fetch = { verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') } as const;

export default defineRule({
  id: 'AUTH-020',
  level: 'SHOULD',
  party: 'server',
  summary: 'Answers over https carry `Strict-Transport-Security`.',
  spec: { '1.0': '13.4' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: { absent: 'The answer over https has no `Strict-Transport-Security` header' },
  why: 'A client that is once given an http URL for the agent goes there and sends its credentials in the clear.',
  fix: 'Send `Strict-Transport-Security: max-age=31536000` with every answer over https.',
  examples: {
    good: [
      [atPublicAddress(rpc({ ...call, ...hsts }), 'https')],
      [atPublicAddress(rest({ ...fetch, ...hsts }), 'https')],
    ],
    skip: [
      [rpc(call)],
      [atPublicAddress(deliver(v1.statusUpdate('WORKING')), 'https')],
      [atPublicAddress(rpc(call), 'http')],
    ],
    bad: [
      { example: [atPublicAddress(rpc(call), 'https')], messages: ['absent'] },
      { example: [atPublicAddress(rest(fetch), 'https')], messages: ['absent'] },
    ],
  },
  when: (exchange) =>
    exchange.kind !== 'webhook' &&
    exchange.response !== undefined &&
    productionCall(exchange)?.scheme === 'https',
  check: ({ captured }, { report }) => {
    if (header(captured.response?.headers ?? [], 'strict-transport-security')?.trim()) return;
    report('absent', {
      outcome: 'info',
      at: { side: 'response', header: 'strict-transport-security' },
      expected: 'max-age=31536000',
    });
  },
});
