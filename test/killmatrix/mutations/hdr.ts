import { client, gateway, type Mutation } from '../mutation.ts';

const wire = { level: 'wire' as const };
const http = { ...wire, bindings: ['JSONRPC', 'HTTP+JSON'] as const };
const whenDone = '2026-01-01T00:04:39.000Z';
const version = 'request/headers/A2A-Version';

const mutations: readonly Mutation[] = [
  gateway('HDR-008', 'a gateway drops the extensions', (session) =>
    session.drop('onward', 'request/headers/A2A-Extensions'),
  ),
  client('HDR-002', 'a version is a word', (session) => {
    session.drop('future', 'purpose');
    session.set('future', version, 'next');
  }),
  client('HDR-003', 'a version has a patch number', (session) => {
    session.drop('patched', 'purpose');
  }),
  client('HDR-004', 'extensions have spaces between them', (session) =>
    session.set(
      'get',
      'request/headers/A2A-Extensions',
      'https://extensions.example/geo/v1 https://extensions.example/cite/v1',
    ),
  ),
  client('HDR-006', 'extensions are asked for in the header of 0.3', (session) =>
    session.set('get', 'request/headers/X-A2A-Extensions', 'https://extensions.example/geo/v1'),
  ),
  client(
    'HDR-005',
    'extensions come in two lines',
    (session) => {
      session.set('get', 'request/headers/A2A-Extensions', 'https://extensions.example/geo/v1');
      session.set('get', 'request/headers/a2a-extensions', 'https://extensions.example/cite/v1');
    },
    http,
  ),
  client(
    'HDR-007',
    'extensions are asked for in the header of 1.0',
    (session) => session.set('get', 'request/headers/A2A-Extensions', 'https://extensions.example/geo/v1'),
    { level: 'wire', bindings: ['JSONRPC'], versions: ['0.3', '0.2'] },
  ),
  gateway('HDR-009', 'a gateway swallows the answer', (session) =>
    session.fail('handed', { code: -32603, message: 'Internal error' }),
  ),
  ...[['1.0'] as const, ['0.2', '0.3'] as const].flatMap((versions) => {
    const also = {
      also: versions[0] === '1.0' ? { 'SSE-027': 'the times of the states show it on one hop, too' } : {},
      versions,
    };
    return [
      gateway(
        'HDR-010',
        'a gateway holds events back',
        (session) => {
          for (const index of [0, 1, 2]) session.set('handedStream', `response/sse/${index}/at`, whenDone);
        },
        { bindings: ['JSONRPC', 'HTTP+JSON'], ...also },
      ),
      gateway(
        'HDR-010',
        'a gateway holds events back',
        (session) => session.set('handedStream', 'grpc/response_at', [whenDone, whenDone, whenDone]),
        { ...wire, bindings: ['GRPC'], ...also },
      ),
    ];
  }),
];

export default mutations;
