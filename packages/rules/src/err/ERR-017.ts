import { defineRule } from '@plugfest/verifier';
import { rest, restError, v1 } from '@plugfest/verifier/examples';

const get = { verb: 'GET', path: '/tasks/task-9', status: 404 } as const;
const problemJson = { 'Content-Type': 'application/problem+json' } as const;
const problem = { title: 'Not found', status: 404, detail: 'No such task' } as const;

/** Gateways, limiters and login services answer these in their own forms. */
const ofIntermediaries: ReadonlySet<number> = new Set([401, 403, 407, 413, 429, 502, 503, 504]);

export default defineRule({
  id: 'ERR-017',
  level: 'MUST',
  party: 'server',
  summary: 'Errors over HTTP+JSON are not sent as application/problem+json.',
  spec: { '1.0': '11.6' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  shown: 'failure',
  messages: { problem: 'The HTTP {status} answer is labelled application/problem+json' },
  why: 'Drafts of 1.0 had this form and two of its examples still show it; clients of the final text read `error` and find nothing.',
  fix: 'Send a google.rpc.Status as `{"error": …}` with the media type application/a2a+json or application/json.',
  examples: {
    good: [
      [
        rest({
          ...get,
          response: restError(404, 'NOT_FOUND', 'No such task', [v1.errorInfo('TASK_NOT_FOUND')]),
        }),
      ],
      [
        rest({
          ...get,
          response: restError(404, 'NOT_FOUND', 'No such task', [v1.errorInfo('TASK_NOT_FOUND')]),
          responseHeaders: { 'Content-Type': 'application/json' },
        }),
      ],
    ],
    skip: [
      [rest({ ...get, status: 503, response: problem, responseHeaders: problemJson })],
      [rest({ ...get, status: 200, response: v1.task('WORKING', { id: 'task-9' }) })],
    ],
    bad: [
      { example: [rest({ ...get, response: problem, responseHeaders: problemJson })], messages: ['problem'] },
    ],
  },
  when: ({ response }) =>
    response !== undefined &&
    response.status >= 400 &&
    !ofIntermediaries.has(response.status) &&
    response.json.state === 'ok',
  check: ({ response }, { report }) => {
    if (response?.mediaType !== 'application/problem+json') return;
    report('problem', {
      data: { status: response.status },
      at: { side: 'response', header: 'content-type' },
      expected: 'application/a2a+json',
      actual: response.mediaType,
    });
  },
});
