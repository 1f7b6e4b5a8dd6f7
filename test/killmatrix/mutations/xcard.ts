import { v1 } from '@plugfest/verifier/examples';
import { failure } from '../episodes/words.ts';
import { client, type Mutation, server } from '../mutation.ts';

const wire = { level: 'wire' as const };
const http = { ...wire, bindings: ['JSONRPC', 'HTTP+JSON'] as const };

const mutations: readonly Mutation[] = [
  server(
    'XCARD-001',
    'an extended card is given that is not declared',
    (session) => {
      session.drop('muteExtended', 'error');
      session.set('muteExtended', 'result', v1.card({ name: 'Mute agent', capabilities: {} }));
      session.set('muteExtended', 'response/headers/Cache-Control', 'private, max-age=60');
    },
    { bindings: ['JSONRPC', 'HTTP+JSON'] },
  ),
  server(
    'XCARD-001',
    'an extended card is given that is not declared',
    (session) => {
      session.drop('muteExtended', 'error');
      session.set('muteExtended', 'result', v1.card({ name: 'Mute agent', capabilities: {} }));
    },
    { bindings: ['GRPC'] },
  ),
  server('XCARD-002', 'an extended card that is declared is not supported', (session) =>
    session.fail('shyExtended', failure(-32004, 'UNSUPPORTED_OPERATION', 'There is none')),
  ),
  server('XCARD-003', 'an extended card is given to anybody', (session) => {
    session.drop('extended', 'request/headers/Authorization');
    session.set('extended', 'purpose', 'probe');
  }),
  client('XCARD-004', 'a client asks for the extended card without credentials', (session) => {
    session.drop('extended', 'request/headers/Authorization');
    session.set('extended', 'response', session.get('anonymous', 'response'));
  }),
  server('XCARD-005', 'the extended card lacks what the public one has', (session) =>
    session.drop('extended', 'result/version'),
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
    },
  ),
  server('XCARD-008', 'the extended card gives away a key', (session) =>
    session.set('extended', 'result/description', `Ask with sk-${'a1b2'.repeat(8)}`),
  ),
  client(
    'XCARD-011',
    'the extended card of 0.3 is asked for with params',
    (session) => session.set('extended', 'request/body/params', { verbose: true }),
    { ...wire, bindings: ['JSONRPC'] },
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
    { ...wire, bindings: ['HTTP+JSON'] },
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
    { ...http, versions: ['0.3'] },
  ),
];

export default mutations;
