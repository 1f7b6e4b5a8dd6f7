import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { calledInterfaces } from '../called-interface.ts';
import { declaredInterfaces } from '../declared-interfaces.ts';
import { wasServed } from '../refusal.ts';

const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;
const send = {
  verb: 'POST',
  path: '/message:send',
  body: { message: v1.message('hello') },
  response: { task: v1.task('COMPLETED') },
} as const;
const restAt = (url: string) =>
  getCard(v1.card({ supportedInterfaces: [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }] }));
const rpcOnly = getCard(
  v1.card({
    supportedInterfaces: [
      { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ],
  }),
);
const elsewhere = getCard(
  v1.card({
    supportedInterfaces: [
      { url: 'https://agent.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ],
  }),
  { from: 'another client' },
);

export default defineRule({
  id: 'CARD-015',
  level: 'MUST',
  party: 'server',
  summary: 'An agent declares every binding and URL at which it serves A2A in its card.',
  spec: { '0.3': '3.4.2', '1.0': '5.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    binding: 'The agent serves {binding}, which its card does not declare',
    url: 'The agent serves {binding} at {path}, a URL that its card does not declare for it',
  },
  // The path of a gRPC call is that of its method.
  where: { url: { bindings: ['JSONRPC', 'HTTP+JSON'] } },
  why: 'What the card leaves out is not secured, signed or tested by those who go by it. (Several agents may share a host, so another URL alone is a warning.)',
  fix: 'Add the interface to the card, or stop serving it.',
  examples: {
    good: [
      [getCard(v1.card()), rpc(get)],
      [getCard(v1.card()), rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      // A base URL may end in the `/v1` that 0.3 has in its paths.
      ...['https://agent.example/v1', 'https://agent.example/api/v1'].map((base) => [
        restAt(base),
        rest({ ...send, base }),
      ]),
      [
        getCard(v03.card()),
        rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') }),
      ],
    ],
    skip: [[rpc(get)], [rpcOnly, rest({ verb: 'GET', path: '/tasks/task-1', status: 404 })]],
    bad: [
      {
        example: [rpcOnly, rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
        messages: ['binding'],
      },
      { example: [elsewhere, rpc(get)], messages: ['url'] },
    ],
  },
  when: (exchange, { conversation }) =>
    wasServed(exchange) && declaredInterfaces(conversation, exchange.captured.edge.callee).length > 0,
  check: (exchange, { conversation, report }) => {
    if (calledInterfaces(exchange, conversation).length > 0) return;
    const declared = declaredInterfaces(conversation, exchange.captured.edge.callee);
    const binding = exchange.dialect.binding;
    const known = declared.some((entry) => entry.binding === binding);
    report(known ? 'url' : 'binding', {
      data: { binding, path: exchange.request.path },
      at: { side: 'request' },
      ...(known ? { outcome: 'warn' as const } : {}),
      expected: declared.map((entry) => `${entry.binding ?? 'custom'} at ${entry.url}`).join(', '),
    });
  },
});
