import { client, type Mutation, server } from '../mutation.ts';
import type { Session } from '../session.ts';

const rest = { level: 'wire' as const, bindings: ['HTTP+JSON'] as const };

function url(session: Session, name: string, change: (url: string) => string): void {
  session.set(name, 'request/url', change(String(session.get(name, 'request/url'))));
}
/** The call once more, in another way, which the agent does not know. */
function again(
  session: Session,
  name: string,
  verb: string,
  change: (url: string) => string = (same) => same,
): void {
  session.copy(name, 'again');
  session.set('again', 'request/method', verb);
  url(session, 'again', change);
  const status = change('') === '' && change('/tasks:cancel') === '/tasks:cancel' ? 405 : 404;
  session.set('again', 'response', {
    status,
    headers: { 'Content-Type': 'application/a2a+json' },
    body: { error: { code: status, status: 'UNIMPLEMENTED', message: 'There is nothing here', details: [] } },
  });
}

const mutations: readonly Mutation[] = [
  client('REST-001', 'a message is sent by PUT', (session) => again(session, 'plain', 'PUT'), rest),
  client('REST-002', 'a stream is asked for by PUT', (session) => again(session, 'spoken', 'PUT'), rest),
  client('REST-003', 'a task is fetched by POST', (session) => again(session, 'get', 'POST'), rest),
  client('REST-004', 'tasks are listed by PUT', (session) => again(session, 'page', 'PUT'), rest),
  client('REST-005', 'a task is cancelled by GET', (session) => again(session, 'cancel', 'GET'), rest),
  client('REST-006', 'a task is subscribed to by PUT', (session) => again(session, 'late', 'PUT'), rest),
  client(
    'REST-007',
    'a config is created below /task',
    (session) => again(session, 'create', 'POST', (at) => at.replace('/tasks/', '/task/')),
    rest,
  ),
  client('REST-008', 'a config is deleted by POST', (session) => again(session, 'remove', 'POST'), rest),
  client(
    'REST-009',
    'a path has a /v1 of its own',
    (session) => url(session, 'get', (at) => at.replace('/rest/', '/rest/v1/')),
    rest,
  ),
  client(
    'REST-010',
    'a path of 0.3 has no /v1',
    (session) => {
      url(session, 'get', (at) => at.replace('/v1/', '/'));
      session.set('get', 'request/headers/A2A-Version', '0.3');
    },
    rest,
  ),
  server(
    'REST-011',
    'a body is labelled as text',
    (session) => session.set('get', 'response/headers/Content-Type', 'text/plain'),
    rest,
  ),
  server(
    'REST-012',
    'a 0.3 body is labelled as text',
    (session) => session.set('get', 'response/headers/Content-Type', 'text/plain'),
    rest,
  ),
  server(
    'REST-013',
    'a body says another charset',
    (session) =>
      session.set('get', 'response/headers/Content-Type', 'application/a2a+json; charset=iso-8859-1'),
    rest,
  ),
  client(
    'REST-014',
    'a query parameter has the name of the proto',
    (session) => url(session, 'get', (at) => at.replace('historyLength', 'history_length')),
    rest,
  ),
  client(
    'REST-015',
    'a GET has a body',
    (session) => {
      session.set('get', 'request/body', { historyLength: 1 });
      session.set('get', 'request/headers/Content-Type', 'application/a2a+json');
    },
    rest,
  ),
  client(
    'REST-016',
    'a number in the query is written otherwise',
    (session) => {
      url(session, 'get', (at) => at.replace('historyLength=1', 'historyLength=1.0'));
      session.set('get', 'response', session.get('hugePage', 'response'));
    },
    rest,
  ),
  client(
    'REST-017',
    'a value in the query is not encoded',
    (session) => url(session, 'page', (at) => `${at}&pageToken=a|b`),
    rest,
  ),
  client(
    'REST-018',
    'an object is squeezed into the query',
    (session) => url(session, 'get', (at) => `${at}&filter.state=done`),
    rest,
  ),
  server(
    'REST-019',
    'the task that answers a send is not wrapped',
    (session) => session.set('plain', 'response/body', session.get('plain', 'response/body/task')),
    rest,
  ),
  server(
    'REST-021',
    'an answer has the envelope of JSON-RPC',
    (session) =>
      session.set('get', 'response/body', {
        jsonrpc: '2.0',
        id: 1,
        result: session.get('get', 'response/body'),
      }),
    rest,
  ),
  server(
    'REST-022',
    'an error comes with HTTP 200',
    (session) => session.set('unknown', 'response/status', 200),
    {
      ...rest,
    },
  ),
  client(
    'REST-025',
    'the extensions stand in the query',
    (session) =>
      url(session, 'get', (at) => `${at}&A2A-Extensions=https%3A%2F%2Fextensions.example%2Fgeo%2Fv1`),
    rest,
  ),
  client(
    'REST-026',
    'path and body name different tasks',
    (session) => session.set('create', 'request/body/taskId', 'task-other'),
    rest,
  ),
  server(
    'REST-028',
    'a unary call is answered by a stream',
    (session) => {
      session.set('get', 'response', {
        status: 200,
        headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' },
        sse: [{ data: { task: session.get('get', 'response/body') } }],
        end: 'closed',
      });
    },
    rest,
  ),
  server(
    'REST-029',
    'an error of 0.3 comes with HTTP 200',
    (session) => session.set('unknown', 'response/status', 200),
    rest,
  ),
  server(
    'REST-023',
    'a wrong verb is served',
    (session) => {
      again(session, 'plain', 'PUT');
      session.set('again', 'response', session.get('plain', 'response'));
      session.set('again', 'purpose', 'probe');
    },
    rest,
  ),
  server(
    'REST-024',
    'a body that is no JSON is a fault of the server',
    (session) => {
      session.copy('plain', 'again');
      session.set('again', 'purpose', 'probe');
      session.drop('again', 'request/body');
      session.set('again', 'request/body_raw', '{"message": ');
      session.set('again', 'response', {
        status: 500,
        headers: { 'Content-Type': 'application/a2a+json' },
        body: { error: { code: 500, status: 'INTERNAL', message: 'Unexpected end', details: [] } },
      });
    },
    rest,
  ),
  client(
    'REST-027',
    'a task id with a colon is not encoded',
    (session) => {
      session.copy('cancelNone', 'again');
      url(session, 'again', (same) => same.replace('task-none', 'urn:task:1'));
      session.drop('again', 'purpose');
    },
    rest,
  ),
];

export default mutations;
