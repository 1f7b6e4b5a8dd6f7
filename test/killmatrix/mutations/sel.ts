import { rest, restV03, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { client, type Mutation } from '../mutation.ts';
import type { Session } from '../session.ts';

const wire = { level: 'wire' as const };

/** Another agent, whose card prefers the binding of the session, is called over another one first. */
function passOver(session: Session, version: '0.3' | '1.0', isRest: boolean): void {
  session.copy('get', 'passing');
  session.copy('card', 'preferredCard');
  session.set('preferredCard', 'to', 'new agent');
  session.set('preferredCard', 'at', '2026-01-01T00:02:08.000Z');
  const card = session.exchanges().get('preferredCard');
  session.without('preferredCard', 'passing');
  if (card === undefined) throw new Error('there is no card');
  const common = { from: 'client', to: 'new agent', headers: { Authorization: 'Bearer user-2' } };
  const task =
    version === '1.0' ? v1.task('WORKING', { id: 'task-new' }) : v03.task('working', { id: 'task-new' });
  const path = '/tasks/task-new';
  const restCall =
    version === '1.0'
      ? rest({ ...common, verb: 'GET', path, response: task })
      : restV03({ ...common, verb: 'GET', path: `/v1${path}`, response: task });
  const rpcCall = rpc({
    ...common,
    version,
    method: version === '1.0' ? 'GetTask' : 'tasks/get',
    params: { id: 'task-new' },
    result: task,
  });
  session.insert('get', 'preferredCard', card);
  session.insert('preferredCard', 'passedOver', {
    ...(isRest ? restCall : rpcCall),
    at: '2026-01-01T00:02:09.000Z',
  });
  // A second later: so that the binding of the session is part of what is judged.
  session.set('get', 'at', '2026-01-01T00:00:25.000Z');
}

/** The answer of a place where there is nothing. */
const nobody = { status: 404, headers: {}, body_raw: '' };

const mutations: readonly Mutation[] = [
  client(
    'SEL-002',
    'a binding is called where the card does not declare it',
    (session) => {
      session.set('get', 'request/url', 'https://agent.example/other');
      session.set('get', 'response', nobody);
    },
    { ...wire, bindings: ['JSONRPC'] },
  ),
  client('SEL-005', 'a client calls what the card does not declare', (session) =>
    session.drop('muteStream', 'purpose'),
  ),
  client('SEL-006', 'a client says another version than the interface', (session) => {
    session.drop('future', 'purpose');
  }),
  client(
    'SEL-002',
    'a binding is called where the card does not declare it',
    (session) => {
      const url = String(session.get('get', 'request/url'));
      session.set('get', 'request/url', url.replace('/rest/', '/other/'));
      session.set('get', 'response', nobody);
    },
    { ...wire, bindings: ['HTTP+JSON'] },
  ),
  client(
    'SEL-001',
    'a client passes over the interface that the card prefers',
    (session) => passOver(session, '1.0', true),
    {
      level: 'wire',
      bindings: ['JSONRPC', 'GRPC'],
    },
  ),
  client(
    'SEL-001',
    'a client passes over the interface that the card prefers',
    (session) => passOver(session, '1.0', false),
    {
      level: 'wire',
      bindings: ['HTTP+JSON'],
    },
  ),
  client(
    'SEL-004',
    'a client passes over the preferred transport',
    (session) => passOver(session, '0.3', true),
    {
      level: 'wire',
      bindings: ['JSONRPC', 'GRPC'],
    },
  ),
  client(
    'SEL-004',
    'a client passes over the preferred transport',
    (session) => passOver(session, '0.3', false),
    {
      level: 'wire',
      bindings: ['HTTP+JSON'],
    },
  ),
];

export default mutations;
