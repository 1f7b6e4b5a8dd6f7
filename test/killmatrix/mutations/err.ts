import { type Mutation, server } from '../mutation.ts';
import type { Session } from '../session.ts';

const wire = { level: 'wire' as const };
const rpc = { ...wire, bindings: ['JSONRPC'] as const };
const rest = { ...wire, bindings: ['HTTP+JSON'] as const };
const grpc = { ...wire, bindings: ['GRPC'] as const };

/** An HTTP+JSON error with another status, which its body repeats as a number. */
function restStatus(session: Session, name: string, status: number): void {
  session.set(name, 'response/status', status);
  session.set(name, 'response/body/error/code', status);
}

/** For each A2A error the exchange of the clean session that has it. */
const errors: readonly (readonly [string, string])[] = [
  ['ERR-001', 'unknown'],
  ['ERR-002', 'tooLate'],
  ['ERR-003', 'muteConfig'],
  ['ERR-004', 'late'],
  ['ERR-005', 'media'],
  ['ERR-006', 'broken'],
  ['ERR-007', 'shyExtended'],
  ['ERR-008', 'strict'],
  ['ERR-009', 'future'],
];

const mutations: readonly Mutation[] = [
  ...errors.flatMap(([rule, name]): readonly Mutation[] => [
    server(
      rule,
      'the reason is that of another error',
      (session) => session.set(name, 'response/body/error/data/0/reason', 'TASK_NOT_WANTED'),
      rpc,
    ),
    server(
      rule,
      'the HTTP status is that of another error',
      (session) => restStatus(session, name, 501),
      rest,
    ),
    server(
      rule,
      'the gRPC status is that of another error',
      (session) => session.set(name, 'grpc/status', 'DATA_LOSS'),
      grpc,
    ),
  ]),
  server(
    'ERR-010',
    'an error over HTTP+JSON has no message',
    (session) => session.drop('unknown', 'response/body/error/message'),
    rest,
  ),
  server(
    'ERR-011',
    'the code of an error is not the HTTP status',
    (session) => session.set('unknown', 'response/body/error/code', 5),
    rest,
  ),
  server(
    'ERR-012',
    'an error has no ErrorInfo',
    (session) => session.set('unknown', 'response/body/error/details', []),
    rest,
  ),
  server(
    'ERR-013',
    'an ErrorInfo is of another domain',
    (session) => session.set('unknown', 'response/body/error/details/0/domain', 'agent.example'),
    rest,
  ),
  server(
    'ERR-014',
    'an entry of the details has an empty type',
    (session) => session.push('unknown', 'response/body/error/data', { '@type': '', id: 'no-such-task' }),
    rpc,
  ),
  server(
    'ERR-014',
    'an entry of the details has no type',
    (session) => session.push('unknown', 'response/body/error/details', { id: 'no-such-task' }),
    rest,
  ),
  server(
    'ERR-015',
    'the metadata of an ErrorInfo has a number',
    (session) => session.set('unknown', 'error/data/0/metadata', { attempt: 1 }),
    { bindings: ['JSONRPC', 'HTTP+JSON'] },
  ),
  server(
    'ERR-016',
    'the status of an error has another name',
    (session) => session.set('unknown', 'response/body/error/status', 'MISSING'),
    rest,
  ),
  server(
    'ERR-017',
    'an error is a problem+json',
    (session) => session.set('unknown', 'response/headers/Content-Type', 'application/problem+json'),
    rest,
  ),
  server('ERR-018', 'a validation error names no field', (session) =>
    session.set('noId', 'error/data/0/fieldViolations', []),
  ),
  server('ERR-018', 'a validation error names no field', (session) =>
    session.set('hugePage', 'error/data/0/fieldViolations', []),
  ),
  server('ERR-020', 'malformed input makes the agent fail', (session) =>
    session.set('noId', 'error', { code: -32603, message: 'Cannot read properties of undefined' }),
  ),
  server('ERR-023', 'an error shows a stack trace', (session) =>
    session.set(
      'fault',
      'error/message',
      'TypeError: x is undefined\n    at answer (/srv/agent/src/answer.js:12:7)\n    at run (/srv/agent/src/run.js:3:1)',
    ),
  ),
  server(
    'ERR-024',
    'a code of 0.3 has another meaning',
    (session) => session.set('fault', 'response/body/error', { code: -32002, message: 'The model is gone' }),
    rpc,
  ),
  server(
    'ERR-025',
    'a code of 0.2 has another meaning',
    (session) => session.set('fault', 'response/body/error', { code: -32002, message: 'The model is gone' }),
    rpc,
  ),
  server(
    'ERR-026',
    'a code of 0.1 has another meaning',
    (session) => session.set('fault', 'response/body/error', { code: -32002, message: 'The model is gone' }),
    rpc,
  ),
  server(
    'ERR-010',
    'an error has an empty message',
    (session) => session.set('unknown', 'response/body/error/message', ''),
    rpc,
  ),
  server(
    'ERR-013',
    'an ErrorInfo is of another domain',
    (session) => session.set('unknown', 'grpc/details/0/domain', 'agent.example'),
    grpc,
  ),
  server('ERR-010', 'an error has no message', (session) => session.drop('unknown', 'grpc/trailers'), grpc),
];

export default mutations;
