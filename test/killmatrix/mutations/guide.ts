import { v1 } from '@plugfest/verifier/examples';
import { client, type Mutation, server } from '../mutation.ts';

const wire = { level: 'wire' as const };

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
  client(
    'GUIDE-007',
    'an agent of 1.0 is called as in an older version',
    (session) => {
      session.copy('card', 'newCard');
      session.set('newCard', 'to', 'new agent');
      session.set('newCard', 'request/url', 'https://agent.example/.well-known/agent-card.json');
      session.set('newCard', 'response/body', v1.card({ name: 'New agent' }));
      session.copy('plain', 'asNew');
      session.set('asNew', 'to', 'new agent');
      session.set('asNew', 'response', {
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        body: {
          jsonrpc: '2.0',
          id: session.get('plain', 'request/body/id'),
          error: { code: -32601, message: 'There is no such method' },
        },
      });
    },
    { level: 'wire', bindings: ['JSONRPC'] },
  ),
  client(
    'GUIDE-007',
    'an agent of 1.0 is called as in an older version',
    (session) => {
      session.copy('card', 'newCard');
      session.set('newCard', 'to', 'new agent');
      session.set('newCard', 'response/body', v1.card({ name: 'New agent' }));
      session.copy('get', 'asNew');
      session.set('asNew', 'to', 'new agent');
      session.set('asNew', 'response', {
        status: 404,
        headers: { 'Content-Type': 'application/json' },
        body: { error: { message: 'Not found' } },
      });
    },
    { level: 'wire', bindings: ['HTTP+JSON'] },
  ),
  client(
    'GUIDE-007',
    'an agent of 1.0 is called as in an older version',
    (session) => {
      session.copy('card', 'newCard');
      session.set('newCard', 'to', 'new agent');
      const supportedInterfaces = [
        { url: 'agent.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' },
      ];
      session.set('newCard', 'response/body', v1.card({ name: 'New agent', supportedInterfaces }));
      session.copy('get', 'asNew');
      session.set('asNew', 'to', 'new agent');
      session.drop('asNew', 'grpc/response');
      session.set('asNew', 'grpc/status', 'UNIMPLEMENTED');
    },
    { level: 'wire', bindings: ['GRPC'] },
  ),
];

export default mutations;
