import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, v1 } from '@plugfest/verifier/examples';

const broken = { verb: 'POST', path: '/message:send', bodyText: '{"message": {', purpose: 'probe' } as const;
const refusal = restError(400, 'INVALID_ARGUMENT', 'The body is no JSON');

/** Answers that come before anybody reads the body. */
const beforeReading: ReadonlySet<number> = new Set([
  401, 403, 404, 405, 407, 411, 413, 415, 429, 502, 503, 504,
]);

export default defineRule({
  id: 'REST-024',
  level: 'MUST',
  party: 'server',
  summary: 'A body that is no JSON gets HTTP 400 with an error in the standard form.',
  spec: { '1.0': '3.3.2' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: {
    status: 'The request body is no JSON, and the server answers HTTP {found}',
    shape: 'The HTTP 400 answer to a body that is no JSON has no `error` object',
  },
  why: 'A 5xx makes clients repeat a request that can never work, and a page of the web framework tells them nothing.',
  fix: 'Turn the framework\'s parser error into HTTP 400 with `{"error": {"code": 400, "status": "INVALID_ARGUMENT", …}}`.',
  examples: {
    good: [[rest({ ...broken, status: 400, response: refusal })]],
    skip: [
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('hello') },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
      // A body that the call does not take need not be read.
      [
        rest({
          verb: 'DELETE',
          path: '/tasks/task-1/pushNotificationConfigs/config-1',
          bodyText: '{',
          status: 204,
          responseText: '',
        }),
      ],
      [rest({ verb: 'POST', path: '/things', bodyText: '{', status: 404, responseText: '' })],
      [rest({ ...broken, status: 401, responseText: '', responseHeaders: { 'WWW-Authenticate': 'Bearer' } })],
    ],
    bad: [
      { example: [rest({ ...broken, status: 400, responseText: '' })], messages: ['shape'] },
      { example: [rest({ ...broken, status: 500, responseText: '' })], messages: ['status'] },
      {
        example: [rest({ ...broken, status: 200, response: { task: v1.task('COMPLETED') } })],
        messages: ['status'],
      },
      {
        example: [
          rest({
            ...broken,
            status: 400,
            responseHeaders: { 'Content-Type': 'text/html' },
            responseText: '<h1>Bad Request</h1>',
          }),
        ],
        messages: ['shape'],
      },
    ],
  },
  when: ({ operation, request, response, captured }) =>
    operation !== undefined &&
    captured.request.method === 'POST' &&
    request.json.state === 'invalid' &&
    response !== undefined &&
    !beforeReading.has(response.status),
  check: ({ response }, { report }) => {
    if (response === undefined) return;
    const { status, json } = response;
    if (status !== 400)
      report('status', {
        data: { found: status },
        at: { side: 'response' },
        expected: 'HTTP 400',
        actual: status,
      });
    else if (
      json.state === 'invalid' ||
      json.state === 'absent' ||
      (isJsonObject(json.value) && !isJsonObject(json.value.error))
    )
      report('shape', { at: { side: 'response', pointer: '' }, expected: 'an object `error`' });
  },
});
