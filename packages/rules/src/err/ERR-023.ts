import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { grpcError, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { secretIn } from '../auth/secret-text.ts';
import { leakIn } from './leaks.ts';

const call = { method: 'GetTask', params: { id: 'task-9' } } as const;
const html = { 'Content-Type': 'text/html' } as const;

/** How much of an answer is searched, in UTF-16 units: a stack trace stands early. */
const searched = 65_536;

const failed = (message: string) => [rpc({ ...call, error: { code: -32603, message } })];

export default defineRule({
  id: 'ERR-023',
  level: 'SHOULD',
  party: 'server',
  summary:
    'Errors do not show stack traces, places in source files, SQL, exceptions of a runtime, or secrets.',
  spec: { '0.1': '8.1', '0.2': '8.1', '0.3': '8.1', '1.0': '3.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    trace: 'The error shows a stack trace: {found}',
    place: 'The error shows a place in a source file: {found}',
    sql: 'The error shows SQL: {found}',
    exception: 'The error shows an exception of the runtime: {found}',
    secret: 'The error shows {what}',
  },
  why: 'File names, versions and code paths help an attacker and nobody else, and the error itself gets lost in them.',
  fix: 'Log the trace with an id, and answer with a short message and that id; switch off the debug pages of the web framework.',
  examples: {
    good: [
      [
        rpc({
          ...call,
          error: { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] },
        }),
      ],
      // Names of A2A, hosts, words, and what the client said itself.
      ...[
        'TaskNotFoundError: no task task-9',
        'Cannot reach http://agent.rs:8080/index.js',
        'Please select a task from the list, or update one',
        'The field a2a.v1.Error is no google.rpc.Error; see docs/errors.md:12',
        'The password is required; see api_key=YOUR_KEY',
      ].map(failed),
      [
        rpc({
          ...call,
          params: { id: 'SELECT id FROM tasks' },
          error: { code: -32602, message: 'SELECT id FROM tasks is no id' },
        }),
      ],
    ],
    skip: [[rpc({ ...call, params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      {
        example: [
          rpc({
            ...call,
            error: { code: -32603, message: 'Traceback (most recent call last):\n  File "/srv/agent.py"' },
          }),
        ],
        messages: ['trace'],
      },
      {
        example: [
          rest({
            verb: 'GET',
            path: '/tasks/task-9',
            status: 500,
            responseHeaders: html,
            responseText:
              '<pre>SyntaxError: bad<br> &nbsp; &nbsp;at parse (/srv/node_modules/x/index.js:77:19)</pre>',
          }),
        ],
        messages: ['trace'],
      },
      ...[
        'Cannot read the store at /srv/agent/store.py:42',
        'Fatal in C:\\agent\\Store.cs:line 7',
        'Warning: no index in /var/www/agent/store.php on line 12',
      ].map((message) => ({ example: failed(message), messages: ['place'] as const })),
      ...[
        'Failed: SELECT id, state FROM tasks WHERE id = ?',
        'ERROR: syntax error at or near "tasks"',
        'SQLITE_BUSY: database is locked',
        'INSERT INTO tasks (id) fails',
        'UPDATE tasks SET state = 3 fails',
        'DELETE FROM tasks WHERE id = 3 fails',
        'no such table: tasks',
      ].map((message) => ({ example: failed(message), messages: ['sql'] as const })),
      ...[
        'java.lang.NullPointerException',
        'sqlalchemy.exc.IntegrityError happened',
        'System.Text.Json.JsonException was thrown',
        "TypeError: Cannot read properties of undefined (reading 'id')",
        'KeyError(1)',
        'panic: assignment to entry in nil map',
      ].map((message) => ({ example: failed(message), messages: ['exception'] as const })),
      { example: failed('No connection to db with password=hunter2-prod'), messages: ['secret'] },
      {
        example: [
          grpcError({
            method: 'GetTask',
            request: { id: 'task-9' },
            status: 'INTERNAL',
            message: 'KeyError: 9',
          }),
        ],
        messages: ['exception'],
      },
      {
        example: [
          grpcError({
            method: 'GetTask',
            request: { id: 'task-9' },
            status: 'INTERNAL',
            message: 'Internal error',
            details: [
              { '@type': 'type.googleapis.com/google.rpc.DebugInfo', detail: 'store.c, panic: gone' },
            ],
          }),
        ],
        messages: ['exception'],
      },
    ],
  },
  when: ({ response }) => response !== undefined && (response.error !== undefined || response.status >= 400),
  check: ({ request, response, dialect }: DecodedExchange, { report }) => {
    const start = (text: string | undefined): string => text?.slice(0, searched) ?? '';
    const isGrpc = dialect?.binding === 'GRPC';
    // A gRPC error has its text in the trailers.
    const texts = [
      start(response?.json.text),
      ...(isGrpc ? [start(response?.error?.message), start(JSON.stringify(response?.error?.details))] : []),
    ];
    const text = texts.join('\n');
    const at = { side: 'response' } as const;
    const expected = 'a short message';
    const leaked = leakIn(text, start(request.json.text));
    if (leaked !== undefined) report(leaked.leak, { data: { found: leaked.found }, at, expected });
    const what = secretIn(text);
    if (what !== undefined) report('secret', { data: { what }, at, expected });
  },
});
