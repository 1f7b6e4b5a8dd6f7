import { v1 } from '@plugfest/verifier/examples';
import { failure } from '../episodes/words.ts';
import { client, gateway, type Mutation, server, webhookSender } from '../mutation.ts';

const wire = { level: 'wire' as const };
const http = { ...wire, bindings: ['JSONRPC', 'HTTP+JSON'] as const };
const version = 'request/headers/A2A-Version';
const refused = failure(-32009, 'VERSION_NOT_SUPPORTED', 'Version 1.0 is not supported');

const mutations: readonly Mutation[] = [
  client(
    'VER-001',
    'a request says no version',
    (session) => {
      session.drop('get', version);
      session.fail('get', refused);
    },
    { also: { 'VER-011': 'it is refused' } },
  ),
  server(
    'VER-004',
    'a version that is not declared is served',
    (session) => {
      session.drop('future', 'error');
      session.set('future', 'result', session.get('get', 'result'));
      session.set('future', 'params/historyLength', 1);
    },
    { also: { 'GRPC-008': 'over gRPC the version is metadata' } },
  ),
  server(
    'VER-005',
    'an answer has the shapes of 0.3',
    (session) =>
      session.set('patched', 'result', {
        kind: 'task',
        id: 'task-plain',
        contextId: 'ctx-plain',
        status: { state: 'completed' },
      }),
    {
      bindings: ['JSONRPC', 'HTTP+JSON'],
      also: {
        'JSON-002': 'states are spelled as in the proto',
        'JSON-014': 'no kind',
        'LIFE-003': 'finished tasks stay',
        'SEND-007': 'artifacts',
      },
    },
  ),
  server(
    'VER-006',
    'a patch number makes a difference',
    (session) =>
      session.fail(
        'patched',
        failure(-32009, 'VERSION_NOT_SUPPORTED', 'Version 1.0.7 is not supported; 1.0 is'),
      ),
    { also: { 'VER-011': 'the version is declared' } },
  ),
  server('VER-011', 'a version that is declared is refused', (session) => session.fail('get', refused)),
  webhookSender(
    'VER-013',
    'a delivery has the shapes of 0.3',
    (session) => {
      session.set('delivered', 'request/body', {
        kind: 'task',
        id: 'task-push',
        contextId: 'ctx-push',
        status: { state: 'completed', timestamp: '2026-01-01T00:01:28.250Z' },
      });
    },
    {
      ...http,
      versions: ['1.0'],
      also: { 'HOOK-002': 'a StreamResponse', 'JSON-017': 'exactly one payload' },
    },
  ),
  client(
    'VER-012',
    'a client changes its version on the way',
    (session) => {
      session.set('poll', 'request', {
        method: 'POST',
        url: 'https://agent.example/a2a',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer user-1' },
        body: { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'task-poll' } },
      });
      session.set('poll', 'response/body', {
        jsonrpc: '2.0',
        id: 1,
        result: {
          kind: 'task',
          id: 'task-poll',
          contextId: 'ctx-poll',
          status: { state: 'working', timestamp: '2026-01-01T00:00:31.250Z' },
        },
      });
    },
    {
      ...wire,
      bindings: ['JSONRPC'],
      also: { 'CARD-029': 'the card lists what is served', 'GUIDE-007': 'the card declares 1.0 only' },
    },
  ),
  client(
    'HDR-002',
    'a version is a word',
    (session) => {
      session.drop('future', 'purpose');
      session.set('future', version, 'next');
    },
    { also: { 'SEL-006': 'the version of the interface' } },
  ),
  client(
    'HDR-003',
    'a version has a patch number',
    (session) => {
      session.drop('patched', 'purpose');
    },
    { also: { 'SEL-006': 'the version of the interface' } },
  ),
  client(
    'HDR-004',
    'an extension is no URI',
    (session) => session.set('placed', 'request/headers/A2A-Extensions', 'geo'),
    {
      also: {
        'EXT-001': 'extensions are asked for by URIs',
        'EXT-007': 'a message uses what is asked for',
        'EXT-003': 'only what was asked for',
        'EXT-010': 'only what was activated',
      },
    },
  ),
  client(
    'HDR-006',
    'extensions are asked for in the header of 0.3',
    (session) => {
      session.drop('placed', 'request/headers/A2A-Extensions');
      session.set('placed', 'request/headers/X-A2A-Extensions', 'https://extensions.example/geo/v1');
    },
    {
      also: {
        'GRPC-006': 'the keys of metadata',
        'EXT-003': 'only what was asked for',
        'EXT-007': 'a message uses what is asked for',
        'EXT-010': 'only what was activated',
      },
    },
  ),
  client(
    'SEL-002',
    'a binding is called where the card does not declare it',
    (session) => session.set('get', 'request/url', 'https://agent.example/other'),
    { bindings: ['JSONRPC'], also: { 'CARD-015': 'the agent serves it there' } },
  ),
  client('SEL-005', 'a client calls what the card does not declare', (session) =>
    session.drop('muteStream', 'purpose'),
  ),
  client('SEL-006', 'a client says another version than the interface', (session) => {
    session.drop('future', 'purpose');
  }),
  server(
    'XCARD-001',
    'an extended card is given that is not declared',
    (session) => {
      session.drop('muteExtended', 'error');
      session.set('muteExtended', 'result', v1.card({ name: 'Mute agent', capabilities: {} }));
    },
    { also: { 'CACHE-009': 'it has no caching headers' } },
  ),
  server('XCARD-002', 'an extended card that is declared is not supported', (session) =>
    session.fail('shyExtended', failure(-32004, 'UNSUPPORTED_OPERATION', 'There is none')),
  ),
  server(
    'XCARD-003',
    'an extended card is given to anybody',
    (session) => {
      session.drop('extended', 'request/headers/Authorization');
      session.set('extended', 'purpose', 'probe');
    },
    { also: { 'AUTH-002': 'the card demands credentials' } },
  ),
  client(
    'XCARD-004',
    'a client asks for the extended card without credentials',
    (session) => {
      session.drop('extended', 'request/headers/Authorization');
    },
    {
      also: {
        'AUTH-002': 'the card demands credentials',
        'AUTH-007': 'the card requires them',
        'XCARD-003': 'it is given',
        'AUTH-006': 'the client has them',
      },
    },
  ),
  server(
    'XCARD-005',
    'the extended card lacks what the public one has',
    (session) => session.drop('extended', 'result/version'),
    {
      also: { 'CARD-007': 'every REQUIRED member', 'JSON-007': 'every required member' },
    },
  ),
  client(
    'XCARD-006',
    'the extended card is asked for by another method',
    (session) => {
      session.copy('extended', 'again');
      session.set('again', 'request/body/method', 'GetAuthenticatedExtendedCard');
      session.fail('again', { code: -32601, message: 'There is no such method' });
    },
    {
      ...wire,
      bindings: ['JSONRPC'],
      also: { 'RPC-002': 'methods have the names of 1.0' },
    },
  ),
  server(
    'XCARD-008',
    'the extended card gives away an address',
    (session) =>
      session.push('extended', 'result/supportedInterfaces', {
        url: 'https://10.0.0.7/a2a',
        protocolBinding: 'JSONRPC',
        protocolVersion: '1.0',
      }),
    { also: { 'CARD-010': 'interfaces can be reached' } },
  ),
  client(
    'XCARD-011',
    'the extended card of 0.3 is asked for with params',
    (session) => session.set('extended', 'request/body/params', { verbose: true }),
    { ...wire, bindings: ['JSONRPC'] },
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
  client(
    'SEL-002',
    'a binding is called where the card does not declare it',
    (session) =>
      session.set(
        'get',
        'request/url',
        String(session.get('get', 'request/url')).replace('/rest/', '/other/'),
      ),
    {
      ...wire,
      bindings: ['HTTP+JSON'],
      also: { 'CARD-015': 'the agent serves it there', 'REST-009': 'below the URL of the card' },
    },
  ),
  gateway('HDR-009', 'a gateway swallows the answer', (session) =>
    session.fail('handed', { code: -32603, message: 'Internal error' }),
  ),
  server(
    'VER-003',
    'a request without version is served as 1.0',
    (session) => {
      session.set('get', 'purpose', 'probe');
      session.drop('get', 'request/headers/A2A-Version');
    },
    { ...http, versions: ['1.0'] },
  ),
  server(
    'VER-003',
    'a request without version is served as 1.0',
    (session) => {
      session.set('get', 'purpose', 'probe');
      session.drop('get', 'grpc/metadata/a2a-version');
    },
    { ...wire, bindings: ['GRPC'], versions: ['1.0'] },
  ),
  server(
    'VER-009',
    'a method of another version is served',
    (session) => session.set('get', 'request/headers/A2A-Version', '1.0'),
    {
      ...wire,
      bindings: ['JSONRPC'],
      versions: ['0.3'],
      also: {
        'SEL-006': 'the version of the interface',
        'VER-004': 'it is not declared',
        'VER-003': 'versions',
        'VER-005': 'answers have the shapes of 1.0',
      },
    },
  ),
  client(
    'XCARD-007',
    'the extended card is asked for by POST',
    (session) => {
      session.copy('extended', 'again');
      session.set('again', 'request/method', 'POST');
      session.set('again', 'response', {
        status: 405,
        headers: { 'Content-Type': 'application/a2a+json' },
        body: {
          error: { code: 405, status: 'UNIMPLEMENTED', message: 'There is nothing here', details: [] },
        },
      });
    },
    { ...wire, bindings: ['HTTP+JSON'], also: { 'XCARD-002': 'the card declares it' } },
  ),
  client(
    'XCARD-014',
    'the extended card of 0.3 is asked for as in 1.0',
    (session) => {
      session.copy('extended', 'again');
      session.set('again', 'request/url', 'https://agent.example/rest/v1/extendedAgentCard');
      session.set('again', 'response', {
        status: 404,
        headers: { 'Content-Type': 'application/json' },
        body: { error: { message: 'Not Found' } },
      });
    },
    { ...wire, bindings: ['HTTP+JSON'] },
  ),
  server(
    'XCARD-012',
    'who is refused the extended card does not learn how to get it',
    (session) => {
      session.copy('extended', 'again');
      session.set('again', 'purpose', 'probe');
      session.drop('again', 'request/headers/Authorization');
      session.set('again', 'response', { status: 401, headers: {}, body_raw: '' });
    },
    { ...http, versions: ['0.3'], also: { 'AUTH-003': 'a 401 says how' } },
  ),
  client(
    'VER-012',
    'a client changes its version on the way',
    (session) => {
      session.set('poll', 'request/url', 'https://agent.example/rest/v1/tasks/task-poll');
      session.drop('poll', 'request/headers/A2A-Version');
      session.set('poll', 'response/headers/Content-Type', 'application/json');
    },
    {
      ...wire,
      bindings: ['HTTP+JSON'],
      also: {
        'CARD-029': 'the card lists what is served',
        'GUIDE-007': 'the card declares 1.0 only',
        'VER-003': 'no version is 0.3',
        'JSON-033': 'the form',
      },
    },
  ),
  server(
    'CARD-029',
    'a card does not list a version that is served',
    (session) => {
      session.set('poll', 'request', {
        method: 'POST',
        url: 'https://agent.example/a2a',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer user-1' },
        body: { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'task-poll' } },
      });
      session.set('poll', 'response/body', {
        jsonrpc: '2.0',
        id: 1,
        result: {
          kind: 'task',
          id: 'task-poll',
          contextId: 'ctx-poll',
          status: { state: 'working', timestamp: '2026-01-01T00:00:31.250Z' },
        },
      });
    },
    {
      ...wire,
      bindings: ['JSONRPC'],
      also: { 'VER-012': 'one version for a task', 'GUIDE-007': 'the card declares 1.0 only' },
    },
  ),
  webhookSender(
    'VER-013',
    'a delivery has the shapes of 0.3',
    (session) => {
      session.set('delivered', 'request/body', {
        kind: 'task',
        id: 'task-push',
        contextId: 'ctx-push',
        status: { state: 'completed', timestamp: '2026-01-01T00:01:28.250Z' },
      });
    },
    {
      ...wire,
      bindings: ['GRPC'],
      versions: ['1.0'],
      also: { 'HOOK-002': 'a StreamResponse', 'JSON-017': 'exactly one payload' },
    },
  ),
  client(
    'VER-012',
    'a client changes its version on the way',
    (session) => {
      session.set('poll', 'grpc', {
        method: '/a2a.v1.A2AService/GetTask',
        metadata: { authorization: 'Bearer user-1' },
        request: { name: 'tasks/task-poll' },
        response: session.get('poll', 'grpc/response'),
        status: 'OK',
      });
    },
    {
      ...wire,
      bindings: ['GRPC'],
      versions: ['1.0'],
      also: {
        'CARD-029': 'the card lists what is served',
        'GUIDE-007': 'the card declares 1.0 only',
        'VER-003': 'no version is 0.3',
      },
    },
  ),
  client(
    'GUIDE-008',
    'a client comes again before it should',
    (session) => {
      session.copy('get', 'busy');
      session.set('busy', 'response', {
        status: 429,
        headers: { 'Content-Type': 'application/json', 'Retry-After': '30' },
        body: {
          jsonrpc: '2.0',
          id: session.get('busy', 'request/body/id'),
          error: { code: -32050, message: 'Too many requests' },
        },
      });
      session.copy('get', 'early');
      const early = session.exchanges().get('early');
      session.without('early');
      if (early !== undefined) session.insert('busy', 'early', early);
      session.set('early', 'at', '2026-01-01T00:00:26.000Z');
    },
    { ...wire, bindings: ['JSONRPC'] },
  ),
  client(
    'GUIDE-008',
    'a client comes again before it should',
    (session) => {
      session.copy('get', 'busy');
      session.set('busy', 'response', {
        status: 503,
        headers: { 'Content-Type': 'application/json', 'Retry-After': '30' },
        body: { error: { code: 503, status: 'UNAVAILABLE', message: 'Too much to do', details: [] } },
      });
      session.copy('get', 'early');
      const early = session.exchanges().get('early');
      session.without('early');
      if (early !== undefined) session.insert('busy', 'early', early);
      session.set('early', 'at', '2026-01-01T00:00:26.000Z');
    },
    { ...wire, bindings: ['HTTP+JSON'] },
  ),
];

export default mutations;
