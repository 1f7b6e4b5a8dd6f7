import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';

const call = { method: 'GetTask', params: { id: 'task-9' } } as const;
const html = { 'Content-Type': 'text/html' } as const;

/** How much of an answer is searched, in UTF-16 units: a stack trace stands early. */
const searched = 65_536;

/** Lines that runtimes write into stack traces: Python, JavaScript, Java and .NET, Go, Rust. */
const traces: readonly RegExp[] = [
  /Traceback \(most recent call last\)/,
  /File \\?"[^"\n]{1,200}\\?", line \d{1,7}, in /,
  /(?:\n|\\n|<br> ?)(?: |\t|\\t|&nbsp;){1,16}at [^\n<>\\]{1,200}:\d{1,7}(?::\d{1,7})?\)?/,
  /(?:\n|\\n)(?: |\t|\\t){1,8}at [\w$.<>]{1,200}\([\w.]{1,100}(?::\d{1,7})?\)/,
  /goroutine \d{1,9} \[[a-z ]{1,40}\]:/,
  /thread '[^'\n]{1,80}' panicked at /,
];

export default defineRule({
  id: 'ERR-023',
  level: 'SHOULD',
  party: 'server',
  summary: 'Errors do not show stack traces.',
  spec: { '0.1': '8.1', '0.2': '8.1', '0.3': '8.1', '1.0': '3.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { trace: 'The error shows a stack trace: {found}' },
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
    ],
  },
  when: ({ response }) => response !== undefined && (response.error !== undefined || response.status >= 400),
  check: ({ response, dialect }: DecodedExchange, { report }) => {
    // A gRPC error has its text in the trailers.
    const text = `${response?.json.text.slice(0, searched) ?? ''}\n${
      dialect?.binding === 'GRPC' ? (response?.error?.message?.slice(0, searched) ?? '') : ''
    }`;
    for (const pattern of traces) {
      const found = pattern.exec(text)?.[0];
      if (found === undefined) continue;
      report('trace', {
        data: { found: found.trim() },
        at: { side: 'response' },
        expected: 'a short message',
      });
      return;
    }
  },
});
