import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, v1 } from '@plugfest/verifier/examples';
import { wasServed } from '../refusal.ts';
import { type RequestDefect, requestDefect } from './request-defect.ts';

const broken = { verb: 'POST', path: '/message:send', bodyText: '{"message": {', purpose: 'probe' } as const;
const refusal = restError(400, 'INVALID_ARGUMENT', 'The body is no JSON');

/** Answers that come before anybody reads the request. */
const beforeReading: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 411, 413, 429, 502, 503, 504]);

const send = { verb: 'POST', path: '/message:send', purpose: 'probe' } as const;
const list = { verb: 'GET', purpose: 'probe' } as const;
const served = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 };
const mistyped = { ...send, body: { message: v1.message('hello', { parts: { text: 'hello' } }) } } as const;
const labelled = {
  ...send,
  headers: { 'Content-Type': 'text/plain' },
  bodyText: JSON.stringify({ message: v1.message('hello') }),
} as const;
const unsupported = restError(415, 'INVALID_ARGUMENT', 'Content type not supported', [
  v1.errorInfo('CONTENT_TYPE_NOT_SUPPORTED'),
]);
const failed = { status: 500, response: restError(500, 'INTERNAL', 'Internal error') } as const;

export default defineRule({
  id: 'REST-024',
  level: 'MUST',
  party: 'server',
  summary: 'A request that cannot be read gets HTTP 400 with an error in the standard form.',
  spec: { '1.0': '3.3.2, 11.6' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: {
    status: 'The request cannot be read ({defect}), and the server answers HTTP {found}',
    served: 'The request cannot be read ({defect}), and yet the server serves it',
    shape: 'The HTTP {found} answer to a request that cannot be read ({defect}) has no `error` object',
  },
  why: 'A 5xx makes clients repeat a request that can never work, and a page of the web framework tells them nothing. What a lenient parser takes for something it can serve may be meant well, so other than for a body that is no JSON that is a warning.',
  fix: 'Turn the framework\'s parser error into HTTP 400 with `{"error": {"code": 400, "status": "INVALID_ARGUMENT", …}}`.',
  examples: {
    good: [
      [rest({ ...broken, status: 400, response: refusal })],
      [rest({ ...mistyped, status: 400, response: refusal })],
      [rest({ ...list, path: '/tasks?pageSize=ten', status: 400, response: refusal })],
      [rest({ ...labelled, status: 415, response: unsupported })],
    ],
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
      [
        rest({
          ...broken,
          headers: { 'Content-Type': 'application/a2a+json' },
          status: 415,
          response: unsupported,
        }),
      ],
      [rest({ verb: 'POST', path: '/tasks/task-1:cancel', body: null, response: v1.task('CANCELED') })],
      // The label is another one, and the server reads the body all the same.
      [rest({ ...labelled, response: { task: v1.task('COMPLETED') } })],
      [rest({ ...list, path: '/tasks?status=WORKING', status: 400, response: refusal })],
      [rest({ ...list, path: '/tasks?pageSize=10', response: served })],
      [rest({ ...broken, status: 401, responseText: '', responseHeaders: { 'WWW-Authenticate': 'Bearer' } })],
    ],
    bad: [
      { example: [rest({ ...broken, status: 400, responseText: '' })], messages: ['shape'] },
      { example: [rest({ ...broken, status: 500, responseText: '' })], messages: ['status'] },
      {
        example: [rest({ ...broken, status: 200, response: { task: v1.task('COMPLETED') } })],
        messages: ['served'],
        outcomes: ['fail'],
      },
      ...[
        mistyped,
        { ...send, body: ['hello'] },
        { ...list, path: '/tasks?pageSize=ten' },
        { ...list, path: '/tasks?includeArtifacts=perhaps' },
        { ...list, path: '/tasks?statusTimestampAfter=yesterday' },
        { ...list, path: '/tasks/task-1?historyLength=all' },
        labelled,
      ].map((request) => ({ example: [rest({ ...request, ...failed })], messages: ['status'] as const })),
      {
        example: [rest({ ...mistyped, response: { task: v1.task('COMPLETED') } })],
        messages: ['served'],
        outcomes: ['warn'],
      },
      {
        example: [rest({ ...list, path: '/tasks?pageSize=ten', response: served })],
        messages: ['served'],
        outcomes: ['warn'],
      },
      { example: [rest({ ...labelled, status: 415, responseText: '' })], messages: ['shape'] },
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
  when: (exchange) => {
    const defect = requestDefect(exchange);
    const { response } = exchange;
    if (defect === undefined || response === undefined || beforeReading.has(response.status)) return false;
    // Who knows the label of 1.0.0 only does not read a body under that of 1.0.1 (section 11.1): drift, and no fault.
    if (response.status === 415 && exchange.request.mediaType === 'application/a2a+json') return false;
    // Of an answer that was cut off nobody knows what it serves.
    if (response.status < 300 && !response.complete && !wasServed(exchange)) return 'undecidable';
    // That a body is read whatever its label says is leniency.
    return !(defect.kind === 'label' && response.status < 400);
  },
  check: (exchange, { report }) => {
    const { response } = exchange;
    const defect = requestDefect(exchange);
    if (defect === undefined || response === undefined) return;
    const { status, json } = response;
    const data = { defect: defect.text, found: status };
    if (wasServed(exchange))
      report('served', {
        ...(defect.kind === 'syntax' ? {} : { outcome: 'warn' as const }),
        data,
        at: { side: 'response' },
        expected: 'HTTP 400',
        actual: status,
      });
    else if (!isRefusal(status, defect))
      report('status', { data, at: { side: 'response' }, expected: 'HTTP 400', actual: status });
    else if (
      json.state === 'invalid' ||
      json.state === 'absent' ||
      (json.state === 'ok' && !(isJsonObject(json.value) && isJsonObject(json.value.error)))
    )
      report('shape', { data, at: { side: 'response', pointer: '' }, expected: 'an object `error`' });
  },
});

/** 415 has two readings: the Content-Type of the request (RFC 9110), and ContentTypeNotSupportedError (5.4). */
const isRefusal = (status: number, { kind }: RequestDefect): boolean =>
  status === 400 || (status === 415 && (kind === 'label' || kind === 'type'));
