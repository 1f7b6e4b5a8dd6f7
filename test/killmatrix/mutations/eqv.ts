import type { JsonObject } from '@plugfest/model';
import { type ExampleExchange, rpc, type Target, translate } from '@plugfest/verifier/examples';
import { failure } from '../episodes/words.ts';
import { type Mutation, server } from '../mutation.ts';
import type { Session } from '../session.ts';

const wire = { level: 'wire' as const };
const headers = { Authorization: 'Bearer user-1' };

/** A call over another binding than that of the session: HTTP+JSON, or JSON-RPC in a session of HTTP+JSON. */
function insertOther(session: Session, after: string, call: ExampleExchange): void {
  const example = session.exchanges().get('get');
  if (example === undefined) throw new Error('there is no call');
  const isRest = 'request' in example && example.request.method === 'GET';
  const isOld = JSON.stringify(example).includes(
    isRest ? '/v1/' : 'grpc' in example ? '/a2a.v1.' : 'tasks/get',
  );
  const target: Target = { version: isOld ? '0.3' : '1.0', binding: isRest ? 'JSONRPC' : 'HTTP+JSON' };
  const [translated] = translate([call], target) ?? [];
  if (translated === undefined) throw new Error('the call cannot be said');
  session.insert(after, 'other', { ...translated, at: '2026-01-01T00:02:11.000Z' });
}

const mutations: readonly Mutation[] = [
  server(
    'EQV-002',
    'a finished task has other artifacts on another binding',
    (session) => {
      const text = 'artifacts/0/parts/0/text';
      if (session.has('readByRest')) session.set('readByRest', `response/body/${text}`, 'another answer');
      else session.set('readByRpc', `response/body/result/${text}`, 'another answer');
    },
    wire,
  ),
  server(
    'EQV-003',
    'a fault gets another error on another binding',
    (session) => {
      const error = failure(-32006, 'INVALID_AGENT_RESPONSE', 'No');
      const params = { taskId: 'task-plain', id: 'config-none' };
      insertOther(
        session,
        'deleteNone',
        rpc({ method: 'DeleteTaskPushNotificationConfig', params, headers, purpose: 'probe', error }),
      );
      session.set('other', 'at', '2026-01-01T00:03:13.500Z');
    },
    wire,
  ),
  server(
    'EQV-001',
    'an operation is missing on another binding',
    (session) => {
      const error = { code: -32601, message: 'There is no such method' };
      insertOther(
        session,
        'unknown',
        rpc({ method: 'GetTask', params: { id: 'task-plain' }, headers, error }),
      );
    },
    { ...wire, bindings: ['HTTP+JSON'] },
  ),
  server(
    'EQV-001',
    'an operation is missing on another binding',
    (session) => {
      session.insert('unknown', 'other', {
        from: 'client',
        to: 'agent',
        at: '2026-01-01T00:02:11.000Z',
        request: {
          method: 'GET',
          url: 'https://agent.example/rest/tasks/task-plain',
          headers: { 'A2A-Version': '1.0', ...headers },
        },
        response: { status: 501, headers: {}, body_raw: '' },
      });
    },
    {
      ...wire,
      bindings: ['JSONRPC', 'GRPC'],
      versions: ['1.0'],
    },
  ),
  server(
    'EQV-001',
    'an operation of 0.3 is missing on another binding',
    (session) => {
      session.insert('unknown', 'other', {
        from: 'client',
        to: 'agent',
        at: '2026-01-01T00:02:11.000Z',
        request: { method: 'GET', url: 'https://agent.example/rest/v1/tasks/task-plain', headers },
        response: { status: 501, headers: {}, body_raw: '' },
      });
    },
    {
      ...wire,
      bindings: ['JSONRPC', 'GRPC'],
      versions: ['0.3'],
    },
  ),
  server(
    'EQV-001',
    'an operation of 0.3 is missing on another binding',
    (session) => {
      const error = { code: -32601, message: 'There is no such method' };
      session.insert(
        'unknown',
        'other',
        rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-plain' }, headers, error }),
      );
    },
    { ...wire, bindings: ['HTTP+JSON'], versions: ['0.3'] },
  ),
  server(
    'EQV-006',
    'an agent cannot cancel on any of its transports',
    (session) => {
      const transport = session.get('muteCard', 'response/body/preferredTransport');
      const declared = session.get('muteCard', 'response/body/additionalInterfaces') as readonly JsonObject[];
      session.set(
        'muteCard',
        'response/body/additionalInterfaces',
        declared.filter((each) => each.transport === transport),
      );
      session.copy('cancel', 'uncancelled');
      const uncancelled = session.exchanges().get('uncancelled');
      session.without('uncancelled');
      if (uncancelled !== undefined) session.insert('muteSend', 'uncancelled', uncancelled);
      session.set('uncancelled', 'to', 'mute agent');
      session.set('uncancelled', 'at', '2026-01-01T00:02:51.800Z');
      if (transport === 'GRPC') {
        session.drop('uncancelled', 'grpc/response');
        session.set('uncancelled', 'grpc/status', 'UNIMPLEMENTED');
      } else if (transport === 'HTTP+JSON')
        session.set('uncancelled', 'response', { status: 501, headers: {}, body_raw: '' });
      else session.fail('uncancelled', { code: -32601, message: 'There is no such method' });
    },
    wire,
  ),
];

export default mutations;
