import {
  type A2AError,
  a2aError,
  a2aErrorByReason,
  a2aErrors,
  errorDomain,
  isStreaming,
} from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import type { Rule } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { grpcError, rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { onceForEach } from '../last-exchange.ts';
import { type AnsweredError, answeredErrors, detailsMember } from './answered-errors.ts';
import { a2aErrorInfo, a2aReason } from './error-info.ts';

/** What is particular to the rule of one A2A error. */
export interface ErrorMapping {
  readonly id: string;
  /** The error's 1.0 name. */
  readonly error: string;
  /** What a client does when it gets this error, and misses when it cannot tell. */
  readonly why: string;
  /** A call that may be answered with the error, for the examples. */
  readonly call: {
    readonly method: string;
    readonly params: Json;
    readonly verb: 'GET' | 'POST';
    readonly path: string;
    readonly body?: Json;
  };
}

/** The A2A error that an answer stands for: by its ErrorInfo, or else by its JSON-RPC code. */
function errorOf({ error, httpStatus }: AnsweredError): A2AError | undefined {
  const byReason = a2aErrorByReason(a2aReason(error));
  if (byReason !== undefined || httpStatus !== undefined) return byReason;
  return a2aErrors.find(({ code }) => code === error.code);
}

const noRows: readonly (A2AError | undefined)[] = [];

/** The A2A errors that the answers of an exchange stand for. */
const errorsOf = onceForEach((exchange): readonly (A2AError | undefined)[] => {
  const answers = answeredErrors(exchange);
  return answers.length === 0 ? noRows : answers.map(errorOf);
});

/**
 * One row of the table in section 5.4. Over JSON-RPC code and reason have to agree, over HTTP+JSON and gRPC status and
 * reason. The statuses of 1.0.0 that later texts changed are labelled, never failed: a client cannot announce a patch
 * version.
 */
export function errorMappingRule({ id, error: name, why, call }: ErrorMapping): Rule {
  const row = a2aError(name);
  if (row === undefined) throw new Error(`section 5.4 has no ${name}`);
  const { code, httpStatus, httpStatusEra100, grpcStatus, grpcStatusEra100, reason } = row;
  const { method, params, verb, path, body } = call;
  const data = [v1.errorInfo(reason)];
  const restAnswer = (status: number) =>
    rest({
      verb,
      path,
      ...(body === undefined ? {} : { body }),
      status,
      response: restError(status, grpcStatus, 'It cannot be done', data),
    });
  const rpcAnswer = (error: Json) => rpc({ method, params, error });
  const grpcAnswer = (status: string) =>
    grpcError({ method, request: params, status, message: 'It cannot be done', details: data });
  const otherCode = code === -32004 ? -32603 : -32004;
  return defineRule<'exchange', string>({
    id,
    level: 'MUST',
    party: 'server',
    summary: `${name} is code ${code} over JSON-RPC, HTTP ${httpStatus} over HTTP+JSON, ${grpcStatus} over gRPC, and its ErrorInfo says ${reason}.`,
    spec: { '1.0': '5.4' },
    bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
    scope: 'exchange',
    shown: 'failure',
    messages: {
      code: `The error is ${name} by its reason, but has the code {found}`,
      reason: `The error is ${name} by its code, but gives the reason {found}`,
      status: `${name} is answered with HTTP {found}`,
      ...(httpStatusEra100 === undefined
        ? {}
        : { era: `As in the 1.0.0 text, ${name} is answered with HTTP {found}` }),
      grpc: `Over gRPC ${name} is answered with {found}`,
      ...(grpcStatusEra100 === undefined
        ? {}
        : { grpcEra: `As in the 1.0.0 text, ${name} is answered with {found} over gRPC` }),
    },
    where: {
      code: { bindings: ['JSONRPC'] },
      reason: { bindings: ['JSONRPC'] },
      status: { bindings: ['HTTP+JSON'] },
      era: { bindings: ['HTTP+JSON'] },
      grpc: { bindings: ['GRPC'] },
      grpcEra: { bindings: ['GRPC'] },
    },
    why:
      httpStatusEra100 === undefined && grpcStatusEra100 === undefined
        ? why
        : `${why} The status that the 1.0.0 text gave is noted for information only.`,
    fix: `Answer ${name} with code ${code} over JSON-RPC, HTTP ${httpStatus} over HTTP+JSON or ${grpcStatus} over gRPC, and with an ErrorInfo of reason ${reason} and domain ${errorDomain}.`,
    examples: {
      good: [
        [rpcAnswer({ code, message: 'It cannot be done', data })],
        [restAnswer(httpStatus)],
        [grpcAnswer(grpcStatus)],
      ],
      skip: [
        [rpcAnswer({ code: -32602, message: 'Invalid parameters' })],
        [rest({ verb, path, ...(body === undefined ? {} : { body }), status: 503, responseText: '' })],
      ],
      bad: [
        { example: [rpcAnswer({ code: otherCode, message: 'It cannot be done', data })], messages: ['code'] },
        {
          example: [
            rpcAnswer({ code, message: 'It cannot be done', data: [v1.errorInfo('SOMETHING_ELSE')] }),
          ],
          messages: ['reason'],
        },
        { example: [restAnswer(501)], messages: ['status'] },
        ...(httpStatusEra100 === undefined
          ? []
          : [{ example: [restAnswer(httpStatusEra100)], messages: ['era'] }]),
        { example: [grpcAnswer('ABORTED')], messages: ['grpc'] },
        ...(grpcStatusEra100 === undefined
          ? []
          : [{ example: [grpcAnswer(grpcStatusEra100)], messages: ['grpcEra'] }]),
      ],
    },
    when: (exchange) => errorsOf(exchange).includes(row),
    check: (exchange, { report }) => {
      for (const answer of answeredErrors(exchange)) {
        if (errorOf(answer) !== row) continue;
        const { error, httpStatus: status } = answer;
        if (status === httpStatus) continue;
        // An error that is answered as a success is REST-022.
        if (status !== undefined && status < 300 && !isStreaming(exchange.operation)) continue;
        if (exchange.dialect.binding === 'GRPC') {
          const found = exchange.response?.grpcStatus?.name;
          const era = found !== undefined && found === grpcStatusEra100;
          if (found !== grpcStatus)
            report(era ? 'grpcEra' : 'grpc', {
              ...(era ? { outcome: 'info' as const } : {}),
              data: { found: found ?? error.code },
              at: answer.at('/status'),
              expected: grpcStatus,
              actual: found ?? error.code,
            });
        } else if (status !== undefined) {
          const era = status === httpStatusEra100;
          report(era ? 'era' : 'status', {
            ...(era ? { outcome: 'info' as const } : {}),
            data: { found: status },
            at: { side: 'response' },
            expected: `HTTP ${httpStatus}`,
            actual: status,
          });
        } else if (exchange.dialect.binding === 'JSONRPC') {
          if (error.code !== code)
            report('code', {
              data: { found: error.code },
              at: answer.at('/code'),
              expected: String(code),
              actual: error.code,
            });
          const info = a2aErrorInfo(error);
          if (info !== undefined && info.value.reason !== reason)
            report('reason', {
              data: { found: info.value.reason },
              at: answer.at(`/${detailsMember(exchange)}/${info.index}/reason`),
              expected: reason,
              actual: info.value.reason,
            });
        }
      }
    },
  });
}
