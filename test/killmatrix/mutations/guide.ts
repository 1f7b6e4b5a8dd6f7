import { failure } from '../episodes/words.ts';
import { client, type Mutation, server } from '../mutation.ts';

const wire = { level: 'wire' as const };
const _http = { ...wire, bindings: ['JSONRPC', 'HTTP+JSON'] as const };
const _version = 'request/headers/A2A-Version';
const _refused = failure(-32009, 'VERSION_NOT_SUPPORTED', 'Version 1.0 is not supported');

const mutations: readonly Mutation[] = [
  client('GUIDE-003', 'an agent uses the credentials of its caller', (session) => {
    session.set('onward', 'params/message/messageId', 'm-own');
    session.set('onward', 'request/headers/Authorization', 'Bearer user-1');
  }),
  server('GUIDE-009', 'a reply holds a token', (session) =>
    session.set(
      'direct',
      'result/message/parts/0/text',
      'Use Bearer sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c next time',
    ),
  ),
  client('GUIDE-001', 'a client polls without a pause', (session) => {
    for (let index = 0; index < 12; index += 1) {
      session.copy('poll', `poll${index}`);
      session.set(
        `poll${index}`,
        'at',
        new Date(Date.UTC(2026, 0, 1, 0, 0, 33, 500 - index * 10)).toISOString(),
      );
    }
  }),
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
