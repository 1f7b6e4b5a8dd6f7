import { defineRule } from '@plugfest/verifier';
import { rest, restError, v1 } from '@plugfest/verifier/examples';
import { calledRoute } from './called-route.ts';

const wrongVerb = { verb: 'PUT', path: '/message:send', purpose: 'probe' } as const;
const body = { message: v1.message('hello') };
const refused = restError(405, 'UNIMPLEMENTED', 'Method not allowed');

/** Who refuses a caller or is not there at all, does so before it looks at verb and path. */
const earlier: ReadonlySet<number> = new Set([401, 403, 407, 408, 429, 501, 502, 503, 504]);

export default defineRule({
  id: 'REST-023',
  level: 'SHOULD',
  party: 'server',
  summary: 'A known path with a wrong verb is refused with 405, an unknown path with 404.',
  spec: { '1.0': '11.3, RFC 9110 section 15.5' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: {
    verb: '{verb} {path}, which is no call of A2A, is answered with HTTP {status}',
    path: 'The operation {path}, which A2A does not have, is answered with HTTP {status}',
  },
  why: 'The author of the client looks for a fault in the agent or the data, when only the verb or the path is wrong.',
  fix: 'Answer 405 with an `Allow` header where the path is known, and 404 where it is not.',
  examples: {
    good: [
      [rest({ ...wrongVerb, body, status: 405, response: refused })],
      [
        rest({
          verb: 'POST',
          path: '/tasks/task-1:restart',
          purpose: 'probe',
          body: {},
          status: 404,
          response: restError(404, 'NOT_FOUND', 'No such operation'),
        }),
      ],
      [
        rest({
          verb: 'POST',
          path: '/tasks/task-1:restart',
          purpose: 'probe',
          body: {},
          status: 400,
          response: restError(400, 'INVALID_ARGUMENT', 'No such operation'),
        }),
      ],
    ],
    skip: [
      [rest({ verb: 'POST', path: '/message:send', body, response: { task: v1.task('COMPLETED') } })],
      [
        rest({
          ...wrongVerb,
          body,
          status: 401,
          response: restError(401, 'UNAUTHENTICATED', 'Who is there?'),
        }),
      ],
      [
        rest({
          verb: 'POST',
          path: '/tasks/task-1:restart',
          purpose: 'probe',
          body: {},
          response: { restarted: true },
        }),
      ],
    ],
    bad: [
      {
        example: [rest({ ...wrongVerb, body, response: { task: v1.task('COMPLETED') } })],
        messages: ['verb'],
      },
      {
        example: [
          rest({
            ...wrongVerb,
            body,
            status: 500,
            response: restError(500, 'INTERNAL', 'Something went wrong'),
          }),
        ],
        messages: ['verb'],
      },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/tasks/task-1:restart',
            purpose: 'probe',
            body: {},
            status: 500,
            response: restError(500, 'INTERNAL', 'Something went wrong'),
          }),
        ],
        messages: ['path'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const { response, operation, dialect } = exchange;
    if (response === undefined || earlier.has(response.status)) return false;
    // An extension may have an operation of its own there (section 12), so only a breakdown is a fault.
    if (operation === undefined) return dialect?.binding === 'HTTP+JSON' && response.status >= 400;
    return calledRoute(exchange, conversation)?.right === false;
  },
  check: ({ captured, operation, request, response }, { report }) => {
    if (response === undefined) return;
    const { status } = response;
    // Routers that look for verb and path at once say 404 for both; 400 may be about the rest of the request.
    const isRefused = status === 404 || status === 405 || (operation === undefined && status < 500);
    if (isRefused) return;
    report(operation === undefined ? 'path' : 'verb', {
      data: { verb: captured.request.method, path: request.path, status },
      at: { side: 'response' },
      expected: operation === undefined ? '404' : '405',
      actual: status,
    });
  },
});
