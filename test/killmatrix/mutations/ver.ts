import type { JsonObject } from '@plugfest/model';
import { failure } from '../episodes/words.ts';
import { client, type Mutation, server, webhookSender } from '../mutation.ts';
import type { Session } from '../session.ts';

const wire = { level: 'wire' as const };
const http = { ...wire, bindings: ['JSONRPC', 'HTTP+JSON'] as const };
const version = 'request/headers/A2A-Version';
const refused = failure(-32009, 'VERSION_NOT_SUPPORTED', 'Version 1.0 is not supported');

/** The card lists the interfaces of 0.3 as well. */
function declareOlder(session: Session): void {
  const place = 'response/body/supportedInterfaces';
  for (const each of [...(session.get('card', place) as readonly JsonObject[])])
    session.push('card', place, { ...each, protocolVersion: '0.3' });
}

const mutations: readonly Mutation[] = [
  client('VER-001', 'a request says no version', (session) => {
    session.drop('get', version);
    session.fail('get', refused);
  }),
  server('VER-004', 'a version that is not declared is served', (session) => {
    session.drop('future', 'error');
    session.set('future', 'result', session.get('get', 'result'));
    session.set('future', 'params/historyLength', 1);
  }),
  server(
    'VER-005',
    'an answer has the shapes of 0.3',
    (session) =>
      session.set('patched', 'result', {
        kind: 'task',
        id: 'task-plain',
        contextId: 'ctx-plain',
        status: { state: 'completed', timestamp: '2026-01-01T00:00:22.250Z' },
        artifacts: [{ artifactId: 'artifact-1', parts: [{ kind: 'text', text: 'answer' }] }],
      }),
    { bindings: ['JSONRPC', 'HTTP+JSON'] },
  ),
  server('VER-006', 'a patch number makes a difference', (session) =>
    session.fail(
      'patched',
      failure(-32009, 'VERSION_NOT_SUPPORTED', 'Version 1.0.7 is not supported; 1.0 is'),
    ),
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
    { ...wire, versions: ['1.0'], also: { 'HOOK-002': 'the shapes of 0.3 have no wrapper' } },
  ),
  client(
    'VER-012',
    'a client changes its version on the way',
    (session) => {
      declareOlder(session);
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
    },
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
    (session) => {
      session.set('get', 'purpose', 'probe');
      session.set('get', 'request/headers/A2A-Version', '1.0');
    },
    {
      ...wire,
      bindings: ['JSONRPC'],
      versions: ['0.1', '0.2', '0.3'],
    },
  ),
  client(
    'VER-015',
    'a method of 0.x is called under 1.0',
    (session) => {
      session.set('get', 'request/headers/A2A-Version', '1.0');
      session.fail('get', { code: -32601, message: 'Method not found' });
    },
    { ...wire, bindings: ['JSONRPC'], versions: ['0.1', '0.2', '0.3'] },
  ),
  client(
    'VER-015',
    'a method of 1.0 is called under 0.3',
    (session) => {
      session.set('get', 'request/headers/A2A-Version', '0.3');
      session.fail('get', { code: -32601, message: 'Method not found' });
    },
    {
      ...wire,
      bindings: ['JSONRPC'],
      versions: ['1.0'],
      also: { 'SEL-006': 'the card has the interface for 1.0 only' },
    },
  ),
  client(
    'VER-012',
    'a client changes its version on the way',
    (session) => {
      declareOlder(session);
      session.set('poll', 'request/url', 'https://agent.example/rest/v1/tasks/task-poll');
      session.drop('poll', 'request/headers/A2A-Version');
      session.set('poll', 'response/headers/Content-Type', 'application/json');
    },
    {
      ...wire,
      bindings: ['HTTP+JSON'],
    },
  ),
  client(
    'VER-012',
    'a client changes its version on the way',
    (session) => {
      declareOlder(session);
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
    },
  ),
  server(
    'VER-009',
    'a method of another version is served',
    (session) => {
      // By an agent whose card nobody has seen: else it is VER-004.
      session.copy('patched', 'mixed');
      session.set('mixed', 'to', 'other agent');
      session.set('mixed', 'request/headers/A2A-Version', '0.3');
    },
    { ...wire, bindings: ['JSONRPC'], versions: ['1.0'] },
  ),
];

export default mutations;
