import { isStreaming } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { malformedInput } from '../err/malformed-input.ts';
import { refusalOf, wasServed } from '../refusal.ts';
import { lackingInSent } from '../send/lacking-in-sent.ts';
import { paramsDefect } from './params-defect.ts';

/** Errors that blame something else than the params, though nothing else is wrong. */
const wrongCodes: ReadonlySet<number> = new Set([-32700, -32603, -32001]);
/** -32600 is titled "Request payload validation error" (section 9.5), which fits bad params in a way. */
const almost = -32600;

const probe = { method: 'GetTask', params: {}, purpose: 'probe' } as const;
const invalid = { error: { code: -32602, message: 'Invalid parameters' } } as const;

/** Calls of 1.0, each with another thing that it lacks. */
const unusable: readonly (readonly [method: string, params: Json])[] = [
  ['SendMessage', [v1.message('hello')]],
  ['SendMessage', { message: v1.message('hello', { messageId: undefined }) }],
  ['SendMessage', { message: v1.message('hello', { parts: [] }) }],
  ['SendMessage', { message: v1.message('hello', { parts: undefined }) }],
  ['SendStreamingMessage', { message: v1.message('hello', { role: undefined }) }],
  ['CancelTask', { taskId: 'task-1' }],
  ['SubscribeToTask', { taskId: 'task-1' }],
  ['GetTaskPushNotificationConfig', { id: 'config-1' }],
  ['ListTaskPushNotificationConfigs', { id: 'task-1' }],
  ['DeleteTaskPushNotificationConfig', { id: 'config-1' }],
];

export default defineRule({
  id: 'RPC-015',
  level: 'MUST',
  party: 'server',
  summary: 'Params that are missing or unusable are answered with the error -32602.',
  spec: { '0.1': '8.1', '0.2': '8.1', '0.3': '8.1', '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    code: 'The params are unusable ({defect}), and the error is {found} instead of -32602',
    request: 'The params are unusable ({defect}), and the error is -32600, as for a broken envelope',
    accepted: 'The params are unusable ({defect}), and yet the call is answered with a result',
  },
  why: 'Only -32602 tells the client to correct its input; after an internal error it tries the same again. That bad input is refused at all is a SHOULD (1.0 section 5.7), and -32600 points at the request too, so both are warnings.',
  fix: 'Validate the params before any work, and answer -32602 with what is missing.',
  examples: {
    good: [
      [rpc({ ...probe, ...invalid })],
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: { role: 'user' } },
          purpose: 'probe',
          ...invalid,
        }),
      ],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      [rpc({ ...probe, error: { code: -32009, message: 'Version not supported' } })],
      // Before 1.0 nothing says that a message has parts.
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('hello', { parts: [] }) },
          purpose: 'probe',
          result: v03.task('completed'),
        }),
      ],
      // A stream that is none is another fault.
      [
        rpc({
          method: 'SendStreamingMessage',
          params: {},
          purpose: 'probe',
          result: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      {
        example: [
          rpc({
            version: '0.3',
            method: 'tasks/get',
            params: {},
            purpose: 'probe',
            error: { code: -32603, message: "KeyError: 'id'" },
          }),
        ],
        messages: ['code'],
      },
      ...unusable.map(([method, params]) => ({
        example: [rpc({ method, params, purpose: 'probe', error: { code: -32700, message: 'Parse error' } })],
        messages: ['code'] as const,
      })),
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: {},
            purpose: 'probe',
            events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
          }),
        ],
        messages: ['accepted'],
      },
      {
        example: [rpc({ ...probe, error: { code: -32600, message: 'Request payload validation error' } })],
        messages: ['request'],
      },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'message/send',
            params: { message: v03.message('hello', { role: undefined }) },
            purpose: 'probe',
            result: v03.task('completed'),
          }),
        ],
        messages: ['accepted'],
      },
    ],
  },
  when: (exchange) => {
    const { request, response, operation } = exchange;
    if (response === undefined || request.rpc?.jsonrpc !== '2.0' || paramsDefect(exchange) === undefined)
      return false;
    const { id } = request.rpc;
    if (typeof id !== 'string' && typeof id !== 'number') return false;
    if (wasServed(exchange)) return !isStreaming(operation) || response.events !== undefined;
    const code = refusalOf(exchange)?.code;
    return code === -32602 || code === almost || (code !== undefined && wrongCodes.has(code));
  },
  check: (exchange, { report }) => {
    const error = refusalOf(exchange);
    // In 1.0 a message without its members that is served is SEND-021, and a failure by malformed input ERR-020.
    if (exchange.dialect.version === '1.0') {
      if (error === undefined && lackingInSent(exchange).length > 0) return;
      if (error?.code === -32603 && malformedInput(exchange) !== undefined) return;
    }
    const defect = paramsDefect(exchange);
    const data = { defect: defect?.text, found: error?.code };
    const at = {
      side: 'response',
      ...(exchange.response?.events === undefined ? {} : { event: 0 }),
      pointer: error === undefined ? '' : '/error/code',
    } as const;
    if (error === undefined)
      // That messages lacking a required member are refused is only a SHOULD (1.0 section 5.7).
      report('accepted', { data, at, outcome: 'warn', expected: 'the error -32602' });
    else if (error.code !== -32602)
      report(error.code === almost ? 'request' : 'code', {
        data,
        at,
        ...(error.code === almost ? { outcome: 'warn' as const } : {}),
        expected: '-32602',
        actual: error.code,
      });
  },
});
