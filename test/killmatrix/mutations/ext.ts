import { client, type Mutation, server } from '../mutation.ts';

const http = { bindings: ['JSONRPC', 'HTTP+JSON'] as const };
const wire = { level: 'wire' as const };
const geo = 'https://extensions.example/geo/v1';

const mutations: readonly Mutation[] = [
  server(
    'EXT-002',
    'an answer does not name the extensions it was made with',
    (session) => session.drop('placed', 'response/headers/A2A-Extensions'),
    http,
  ),
  server(
    'EXT-003',
    'an extension is active that nobody asked for',
    (session) =>
      session.set('placed', 'response/headers/A2A-Extensions', `${geo}, https://extensions.example/other/v1`),
    http,
  ),
  server('EXT-005', 'a message without a required extension is served', (session) => {
    session.drop('strict', 'error');
    session.set('strict', 'result', { message: session.get('direct', 'result/message') });
  }),
  client('EXT-007', 'a message uses an extension that it does not ask for', (session) =>
    session.push('placed', 'params/message/extensions', 'https://extensions.example/other/v1'),
  ),
  server(
    'EXT-009',
    'an extension adds a member',
    (session) => session.set('placed', `result/task/${geo.replaceAll('/', '~1')}`, { place: 'home' }),
    http,
  ),
  server('EXT-010', 'an artifact uses an extension that was not activated', (session) =>
    session.set('plain', 'result/task/artifacts/0/extensions', [geo]),
  ),
  server(
    'EXT-011',
    'the URI of an extension has no version',
    (session) =>
      session.push('card', 'response/body/capabilities/extensions', {
        uri: 'https://extensions.example/other',
      }),
    { versions: ['1.0'] },
  ),
  server(
    'EXT-013',
    'extensions are declared at the top of the card',
    (session) =>
      session.set('card', 'response/body/extensions', [{ uri: 'https://extensions.example/other/v1' }]),
    { ...wire, versions: ['1.0'] },
  ),
  client('EXT-001', 'an extension is asked for by a relative URI', (session) => {
    session.drop('strict', 'purpose');
    session.set('strict', 'request/headers/A2A-Extensions', 'extensions/strict/v1');
  }),
  server('EXT-004', 'an extension that the agent does not know is refused', (session) => {
    session.set('get', 'request/headers/A2A-Extensions', 'https://extensions.example/cite/v1');
    session.fail('get', {
      code: -32004,
      message: 'The extension https://extensions.example/cite/v1 is not supported',
      data: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'UNSUPPORTED_OPERATION',
          domain: 'a2a-protocol.org',
        },
      ],
    });
  }),
  server('EXT-006', 'another version of an extension is used', (session) => {
    session.set('placed', 'request/headers/A2A-Extensions', 'https://extensions.example/geo/v2');
    session.set('placed', 'params/message/extensions', ['https://extensions.example/geo/v2']);
    session.drop('placed', 'params/message/metadata');
  }),
  client('EXT-008', 'the data of an extension has another key', (session) =>
    session.set('placed', 'params/message/metadata', { geo: { place: 'home' } }),
  ),
];

export default mutations;
