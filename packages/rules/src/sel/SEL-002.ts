import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { calledInterfacesSeen } from '../called-interface.ts';
import { isBesideA2A } from '../rpc/rpc-endpoint.ts';
import { interfacesSeenByCaller } from '../seen-by-caller.ts';

const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;
const send = {
  verb: 'POST',
  path: '/message:send',
  body: { message: v1.message('hello') },
  response: { task: v1.task('COMPLETED') },
} as const;
const listing = (...interfaces: readonly (readonly [binding: string, url: string])[]) =>
  getCard(
    v1.card({
      supportedInterfaces: interfaces.map(([protocolBinding, url]) => ({
        url,
        protocolBinding,
        protocolVersion: '1.0',
      })),
    }),
  );
const at = (url: string, binding = 'JSONRPC') => listing([binding, url]);

export default defineRule({
  id: 'SEL-002',
  level: 'MUST',
  party: 'client',
  summary: 'A client that has read the card calls each binding at a URL that the card declares for it.',
  spec: { '0.3': '5.6.3', '1.0': '8.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    url: 'The client calls {binding} at {path}; the card declares it at {declared}',
    binding: 'The client calls {binding}, which the card does not declare; it declares {declared}',
  },
  // The path of a gRPC call is that of its method.
  where: { url: { bindings: ['JSONRPC', 'HTTP+JSON'] } },
  why: 'A URL that is changed, even by a slash at its end, may lead nowhere, to a redirect that drops the body, or to another agent.',
  fix: 'Use the URL of the chosen interface as it is: the whole endpoint for JSON-RPC, the base of the paths for HTTP+JSON.',
  examples: {
    good: [
      [getCard(v1.card()), rpc(get)],
      [getCard(v1.card()), rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      // A base URL may end in the `/v1` that 0.3 has in its paths.
      ...['https://agent.example/v1', 'https://agent.example/api/v1'].map((base) => [
        at(base, 'HTTP+JSON'),
        rest({ ...send, base }),
      ]),
      [
        getCard(v03.card()),
        rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') }),
      ],
    ],
    skip: [
      [rpc(get)],
      [getCard(v1.card(), { from: 'another client' }), rpc(get)],
      // Another protocol at the same host.
      [getCard(v1.card()), rpc({ method: 'ReadSession', result: {} })],
    ],
    bad: [
      { example: [at('https://agent.example/a2a/'), rpc(get)], messages: ['url'] },
      {
        example: [
          listing(['JSONRPC', 'https://agent.example/first'], ['JSONRPC', 'https://agent.example/second']),
          rpc(get),
        ],
        messages: ['url'],
      },
      { example: [at('https://agent.example/rest', 'HTTP+JSON'), rpc(get)], messages: ['binding'] },
      {
        example: [
          listing(
            ['HTTP+JSON', 'https://agent.example/rest'],
            ['https://example.org/bindings/soap', 'https://agent.example/soap'],
          ),
          rpc(get),
        ],
        messages: ['binding'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    interfacesSeenByCaller(exchange, conversation).length > 0 && !isBesideA2A(exchange, conversation),
  check: (exchange, { conversation, report }) => {
    if (calledInterfacesSeen(exchange, conversation).length > 0) return;
    const declared = interfacesSeenByCaller(exchange, conversation);
    const binding = exchange.dialect?.binding;
    const urls = [
      ...new Set(declared.filter((entry) => entry.binding === binding).map(({ url }) => url ?? '')),
    ];
    const bindings = [...new Set(declared.map((entry) => entry.binding ?? String(entry.rawBinding)))];
    report(urls.length > 0 ? 'url' : 'binding', {
      data: {
        binding,
        path: exchange.request.path,
        declared: (urls.length > 0 ? urls : bindings).join(', '),
      },
      at: { side: 'request' },
      expected: (urls.length > 0 ? urls : bindings).join(', '),
      actual: exchange.request.path,
    });
  },
});
