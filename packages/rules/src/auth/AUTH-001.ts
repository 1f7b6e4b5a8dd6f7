import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { gotBytes, gotBytes03 } from '../grpc/calls.ts';
import { productionCall } from './production.ts';
import { atPublicAddress } from './production-traffic.ts';

const call = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
const fetch = rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') });
const legacy = rpc({
  version: '0.3',
  method: 'tasks/get',
  params: { id: 'task-1' },
  result: v03.task('working'),
});

const secure = { origin: 'https://203.0.113.7' } as const;
const plain = { origin: 'http://203.0.113.7' } as const;

export default defineRule({
  id: 'AUTH-001',
  level: 'MUST',
  party: 'server',
  summary: 'Calls to hosts outside of labs are encrypted.',
  spec: { '0.1': '4.1', '0.2': '4.1', '0.3': '4.1', '1.0': '7.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { plain: 'The agent at {host} serves calls over plain HTTP' },
  why: 'Everybody on the way reads messages, artifacts and credentials, and can change them. A capture does not say what is production and what is a trial on a public address, so this is a warning.',
  fix: 'Serve A2A with TLS only, name https URLs in the card, and let port 80 redirect or refuse.',
  examples: {
    good: [
      [atPublicAddress(call, 'https')],
      [atPublicAddress(legacy, 'https')],
      gotBytes(secure),
      gotBytes03(secure),
      // To be sent to https, or away.
      ...[308, 426].map((status) => [
        atPublicAddress(
          rpc({ method: 'GetTask', params: { id: 'task-1' }, status, responseText: '' }),
          'http',
        ),
      ]),
    ],
    skip: [[call]],
    bad: [
      { example: [atPublicAddress(call, 'http')], messages: ['plain'], outcomes: ['warn'] },
      { example: [atPublicAddress(fetch, 'http')], messages: ['plain'] },
      {
        example: [
          atPublicAddress(
            rest({ verb: 'GET', path: '/tasks/task-1', status: 400, responseText: '' }),
            'http',
          ),
        ],
        messages: ['plain'],
      },
      { example: gotBytes(plain), messages: ['plain'] },
      { example: gotBytes03(plain), messages: ['plain'] },
    ],
  },
  when: (exchange) => exchange.response !== undefined && productionCall(exchange) !== undefined,
  check: (exchange, { report }) => {
    const call = productionCall(exchange);
    if (call?.scheme !== 'http') return;
    const status = exchange.response?.status ?? 0;
    // Sending the client to https, or away, is what plain HTTP is good for.
    if ((status >= 300 && status < 400) || status === 426) return;
    report('plain', {
      outcome: 'warn',
      data: { host: call.hostname },
      at: { side: 'request' },
      expected: 'https',
      actual: 'http',
    });
  },
});
