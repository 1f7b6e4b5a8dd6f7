import { a2aErrorByReason, a2aErrors, errorDomain, jsonRpcErrors } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { grpcError, rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { answeredErrors } from './answered-errors.ts';
import { a2aErrorInfo } from './error-info.ts';

const get = { verb: 'GET', path: '/tasks/task-9', status: 404 } as const;
const notFound = (reason: string, domain = errorDomain) =>
  rest({
    ...get,
    response: restError(404, 'NOT_FOUND', 'No such task', [v1.errorInfo(reason, { domain })]),
  });

const overGrpc = (reason: string, domain = errorDomain) =>
  grpcError({
    method: 'GetTask',
    request: { id: 'task-9' },
    status: 'NOT_FOUND',
    message: 'No such task',
    details: [v1.errorInfo(reason, { domain })],
  });

/** Reasons that the text derives from its error names; those of JSON-RPC have no code of their own over HTTP. */
const reasons: ReadonlySet<unknown> = new Set([
  ...a2aErrors.map(({ reason }) => reason),
  ...Object.values(jsonRpcErrors).map((name) => upperSnake(name)),
]);

/** `TaskNotFoundError`, `task_not_found` and the like as a reason: upper case, underscores, no `ERROR`. */
function upperSnake(name: string): string {
  return name
    .slice(0, 100)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toUpperCase()
    .replace(/_?ERROR$/, '');
}

export default defineRule({
  id: 'ERR-013',
  level: 'MUST',
  party: 'server',
  summary:
    'The ErrorInfo of an A2A error has the domain a2a-protocol.org and the error name in UPPER_SNAKE_CASE, without ERROR, as reason.',
  spec: { '1.0': '10.6, 11.6' },
  bindings: ['HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    domain: 'The ErrorInfo of {reason} has the domain {found}',
    reason: 'The ErrorInfo gives {found} as its reason',
    unknown: 'A2A has no error with the reason {found}',
  },
  why: 'Clients compare domain and reason as they are written; with another spelling the error is none they know. A reason that A2A does not define under its domain may be one of a later version, so it is a warning.',
  fix: `Use the reasons of section 5.4, such as TASK_NOT_FOUND, with the domain "${errorDomain}"; put reasons of your own under a domain of your own.`,
  examples: {
    good: [[notFound('TASK_NOT_FOUND')], [overGrpc('TASK_NOT_FOUND')]],
    skip: [
      [
        rest({
          ...get,
          status: 400,
          response: restError(400, 'INVALID_ARGUMENT', 'No', [
            v1.errorInfo('ID_TOO_LONG', { domain: 'agent.example' }),
          ]),
        }),
      ],
      [
        rpc({
          method: 'GetTask',
          params: { id: 'task-9' },
          error: { code: -32001, message: 'No such task' },
        }),
      ],
    ],
    bad: [
      { example: [notFound('TASK_NOT_FOUND', 'agent.example')], messages: ['domain'] },
      { example: [notFound('TaskNotFoundError')], messages: ['reason'] },
      { example: [notFound('TASK_NOT_FOUND_ERROR')], messages: ['reason'] },
      { example: [notFound('TASK_LOST')], messages: ['unknown'] },
      { example: [overGrpc('TASK_NOT_FOUND', 'agent.example')], messages: ['domain'] },
      { example: [overGrpc('TaskNotFoundError')], messages: ['reason'] },
      { example: [overGrpc('TASK_LOST')], messages: ['unknown'] },
    ],
  },
  when: (exchange) => answeredErrors(exchange).some(({ error }) => a2aErrorInfo(error) !== undefined),
  check: (exchange, { report }) => {
    for (const { error, at } of answeredErrors(exchange)) {
      const info = a2aErrorInfo(error);
      if (info === undefined) continue;
      const { reason, domain } = info.value;
      const place = (member: string) => at(`/details/${info.index}/${member}`);
      if (typeof reason === 'string' && !reasons.has(reason)) {
        const meant = a2aErrorByReason(upperSnake(reason))?.reason;
        report(meant === undefined ? 'unknown' : 'reason', {
          ...(meant === undefined ? { outcome: 'warn' as const } : {}),
          data: { found: reason },
          at: place('reason'),
          expected: meant ?? 'a reason of section 5.4',
          actual: reason,
        });
      }
      if (domain !== undefined && domain !== errorDomain)
        report('domain', {
          data: { reason, found: domain },
          at: place('domain'),
          expected: errorDomain,
          actual: domain,
        });
    }
  },
});
