import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, restError, v1 } from '@plugfest/verifier/examples';
import { strangeAnswer } from '../card/strange-answer.ts';
import { declaredInterfaces } from '../declared-interfaces.ts';
import { restFailureOf } from './rest-failure.ts';

const get = { verb: 'GET', path: '/tasks/task-9', status: 404 } as const;
const details = [v1.errorInfo('TASK_NOT_FOUND')];
const error = { code: 404, status: 'NOT_FOUND', message: 'No such task', details };

export default defineRule({
  id: 'ERR-011',
  level: 'MUST',
  party: 'server',
  summary:
    'An error over HTTP+JSON is `{"error": {"code", "status", "message", "details"}}`, and its code repeats the HTTP status.',
  spec: { '1.0': '11.6' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    shape: 'The body of the HTTP {status} answer has no `error` object',
    code: 'The HTTP status is {status}, `error.code` is {found}',
    status: 'The error has no `status` name',
  },
  why: 'Clients read the error out of `error`; in any other form all that is left is the HTTP status, which several A2A errors share. A body without `error` at a path that the card does not declare may come from a web framework, so there it is a warning; so is a missing `status`, which only the example of the specification shows.',
  fix: "Send a google.rpc.Status in `error`: the HTTP status as number in `code`, its name in `status`, a text in `message`, typed objects in `details`. Set it up for all routes, the framework's own errors included.",
  examples: {
    good: [
      [rest({ ...get, response: { error } })],
      [rest({ ...get, status: 400, response: restError(400, 'INVALID_ARGUMENT', 'The id is too long') })],
    ],
    skip: [
      [
        rest({
          ...get,
          status: 401,
          response: { message: 'Log in' },
          responseHeaders: { 'WWW-Authenticate': 'Bearer' },
        }),
      ],
      [rest({ ...get, responseHeaders: { 'Content-Type': 'text/html' }, responseText: 'Cannot GET /rest' })],
      [rest({ ...get, status: 200, response: v1.task('WORKING', { id: 'task-9' }) })],
    ],
    bad: [
      {
        example: [getCard(v1.card()), rest({ ...get, status: 400, response: { detail: 'Bad request' } })],
        messages: ['shape'],
      },
      {
        example: [rest({ ...get, response: { code: -32001, message: 'No such task' } })],
        messages: ['shape'],
      },
      { example: [rest({ ...get, response: { error: { ...error, code: 5 } } })], messages: ['code'] },
      {
        example: [rest({ ...get, response: { error: { code: 404, message: 'No such task', details } } })],
        messages: ['status'],
      },
    ],
  },
  when: (exchange, { conversation }) => restFailureOf(exchange, conversation) !== undefined,
  check: (exchange, { conversation, report }) => {
    const failure = restFailureOf(exchange, conversation);
    if (failure === undefined) return;
    const { status, body, writer } = failure;
    if (!isJsonObject(body.error)) {
      // That nothing of A2A answers where the card declares an interface is CARD-014. At any other path nobody has to.
      if (strangeAnswer(exchange) !== undefined && hasDeclaredPlace(exchange, conversation)) return;
      report('shape', {
        ...(writer === 'router' ? { outcome: 'warn' as const } : {}),
        data: { status },
        at: { side: 'response', pointer: '' },
        expected: 'an object `error` with code, status, message and details',
        actual: body,
      });
      return;
    }
    if (body.error.code !== status)
      report('code', {
        data: { status, found: body.error.code },
        at: { side: 'response', pointer: '/error/code' },
        expected: String(status),
        actual: body.error.code,
      });
    if (body.error.status === undefined)
      report('status', {
        outcome: 'warn',
        at: { side: 'response', pointer: '/error/status' },
        expected: 'the name of a google.rpc.Code',
      });
  },
});

/** The agent's cards say where it serves HTTP+JSON. */
const hasDeclaredPlace = ({ captured }: DecodedExchange, conversation: Conversation): boolean =>
  declaredInterfaces(conversation, captured.edge.callee).some(({ binding }) => binding === 'HTTP+JSON');
