import { client, type Mutation, server } from '../mutation.ts';
import type { Session } from '../session.ts';

const rpc = { level: 'wire' as const, bindings: ['JSONRPC'] as const };
const older = { ...rpc, versions: ['0.1', '0.2', '0.3'] as const };

/** The id of a call and of its answer. */
function setId(session: Session, name: string, id: number | string | null): void {
  session.set(name, 'request/body/id', id);
  session.set(name, 'response/body/id', id);
}
const noMethod = { code: -32601, message: 'There is no such method' };

const mutations: readonly Mutation[] = [
  client(
    'RPC-001',
    'a request says another version of JSON-RPC',
    (session) => {
      session.set('get', 'request/body/jsonrpc', '1.0');
      session.fail('get', { code: -32600, message: 'This is no request' });
    },
    rpc,
  ),
  client(
    'RPC-002',
    'a method is spelled otherwise',
    (session) => {
      session.copy('get', 'again');
      session.set('again', 'request/body/method', 'getTask');
      session.fail('again', noMethod);
    },
    rpc,
  ),
  client(
    'RPC-003',
    'a method of 0.x is spelled otherwise',
    (session) => {
      session.copy('get', 'again');
      session.set('again', 'request/body/method', 'tasks/Get');
      session.fail('again', noMethod);
    },
    rpc,
  ),
  client('RPC-004', 'an id is a fraction', (session) => setId(session, 'get', 1.5), rpc),
  client(
    'RPC-005',
    'a request has no id',
    (session) => {
      session.drop('get', 'request/body/id');
      session.set('get', 'response/body/id', null);
    },
    rpc,
  ),
  client(
    'RPC-006',
    'params are a list',
    (session) => {
      session.copy('get', 'again');
      session.set('again', 'request/body/params', ['task-plain']);
      session.fail('again', { code: -32602, message: 'params must be an object' });
    },
    rpc,
  ),
  client(
    'RPC-007',
    'a request is labelled as text',
    (session) => session.set('get', 'request/headers/Content-Type', 'text/plain'),
    rpc,
  ),
  server(
    'RPC-008',
    'a response is labelled as text',
    (session) => session.set('get', 'response/headers/Content-Type', 'text/plain'),
    rpc,
  ),
  server(
    'RPC-009',
    'a response has another id',
    (session) => session.set('get', 'response/body/id', 999),
    rpc,
  ),
  server(
    'RPC-010',
    'a response has result and error',
    (session) => session.set('get', 'response/body/error', { code: -32603, message: 'The model is gone' }),
    rpc,
  ),
  server(
    'RPC-011',
    'an error has no message',
    (session) => session.drop('unknown', 'response/body/error/message'),
    {
      ...rpc,
    },
  ),
  server(
    'RPC-012',
    'what is no JSON is refused as a wrong request',
    (session) => session.set('garbled', 'response/body/error/code', -32600),
    rpc,
  ),
  server(
    'RPC-013',
    'what is no request is refused as no JSON',
    (session) => session.set('noCall', 'response/body/error/code', -32700),
    rpc,
  ),
  server(
    'RPC-014',
    'an unknown method is refused as a wrong request',
    (session) => session.set('noMethod', 'response/body/error/code', -32600),
    rpc,
  ),
  server(
    'RPC-015',
    'missing params are a fault of the server',
    (session) => session.set('noId', 'response/body/error/code', -32603),
    older,
  ),
  server(
    'RPC-016',
    'a fault of the server is a page of HTML',
    (session) => {
      session.set('fault', 'response', {
        status: 500,
        headers: { 'Content-Type': 'text/html' },
        body_raw: '<html>Internal Server Error</html>',
      });
    },
    rpc,
  ),
  server(
    'RPC-017',
    'an error has a code of its own',
    (session) => session.set('fault', 'response/body/error/code', 1001),
    rpc,
  ),
  server(
    'RPC-018',
    'the data of an error is a text',
    (session) => session.set('unknown', 'response/body/error/data', 'task no-such-task'),
    {
      ...rpc,
    },
  ),
  server(
    'RPC-019',
    'an error has no ErrorInfo',
    (session) => session.drop('unknown', 'response/body/error/data'),
    rpc,
  ),
  server(
    'RPC-020',
    'the task that answers a send is not wrapped',
    (session) =>
      session.set('plain', 'response/body/result', session.get('plain', 'response/body/result/task')),
    rpc,
  ),
  server(
    'RPC-021',
    'the task that answers a send of 0.x is wrapped',
    (session) =>
      session.set('plain', 'response/body/result', { task: session.get('plain', 'response/body/result') }),
    rpc,
  ),
  server(
    'RPC-022',
    'the task that was got is wrapped',
    (session) =>
      session.set('get', 'response/body/result', { task: session.get('get', 'response/body/result') }),
    rpc,
  ),
  server(
    'RPC-023',
    'a list is a bare array',
    (session) =>
      session.set('configs', 'response/body/result', session.get('configs', 'response/body/result/configs')),
    rpc,
  ),
  server(
    'RPC-024',
    'a list of 0.3 is wrapped',
    (session) =>
      session.set('configs', 'response/body/result', {
        configs: session.get('configs', 'response/body/result'),
      }),
    rpc,
  ),
  client(
    'RPC-026',
    'the version stands in the params',
    (session) => session.set('get', 'request/body/params/A2A-Version', '1.0'),
    rpc,
  ),
  server(
    'RPC-031',
    'a response of 0.1 has neither result nor error',
    (session) => session.drop('get', 'response/body/result'),
    rpc,
  ),
  server(
    'RPC-032',
    'an error of 0.x has the code of HTTP',
    (session) => session.set('fault', 'response/body/error/code', 500),
    older,
  ),
  client(
    'RPC-028',
    'two calls that are open at once have one id',
    (session) => {
      const id = session.get('watched', 'request/body/id');
      for (const name of ['watched', 'subscribed']) {
        session.set(name, 'request/http_version', '2.0');
        session.set(name, 'connection', 'c1');
      }
      session.set('subscribed', 'request/body/id', id);
      for (const index of [0, 1, 2]) session.set('subscribed', `response/sse/${index}/data/id`, id);
    },
    { level: 'wire', bindings: ['JSONRPC'] },
  ),
  server(
    'RPC-015',
    'missing params are taken for broken JSON',
    (session) => session.set('noId', 'response/body/error', { code: -32700, message: 'Parse error' }),
    { ...rpc, versions: ['1.0'] },
  ),
];

export default mutations;
