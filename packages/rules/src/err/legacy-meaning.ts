import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json, type Level, type ProtocolVersion } from '@plugfest/model';
import type { Rule } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import type { Example } from '@plugfest/verifier/examples';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { sentConfigs } from '../push/registered.ts';
import { sentMessage } from '../sent-message.ts';
import { answeredErrors } from './answered-errors.ts';

/** What is particular to the codes of one version before 1.0. */
export interface LegacyMeanings {
  readonly id: string;
  readonly level: Level;
  readonly version: ProtocolVersion;
  readonly summary: string;
  readonly fix: string;
  readonly meanings: readonly CodeMeaning[];
  /** Calls that the code is about. */
  readonly good: readonly RefusedCall[];
  /** Calls that the code cannot be about. */
  readonly bad: readonly RefusedCall[];
}

interface RefusedCall {
  readonly code: number;
  readonly method: string;
  readonly params: Json;
}

/** A code whose meaning ties it to some calls. */
export interface CodeMeaning {
  readonly code: number;
  readonly name: string;
  /** For messages: the calls that it is about, in words. */
  readonly about: string;
  readonly fits: (exchange: DecodedExchange) => boolean;
}

const isPushCall = ({ operation }: DecodedExchange): boolean =>
  operation?.includes('PushNotification') === true;

function namesTask(exchange: DecodedExchange): boolean {
  const message = sentMessage(exchange)?.message;
  if (message !== undefined)
    return (
      message.taskId !== undefined ||
      // No code is said for an unknown context; this one is not far off.
      message.contextId !== undefined ||
      message.referenceTaskIds.length > 0 ||
      // 0.1 names the task beside the message.
      (isJsonObject(exchange.request.params) && typeof exchange.request.params.id === 'string')
    );
  return exchange.operation !== 'GetExtendedAgentCard' && exchange.operation !== 'ListTasks';
}

export const taskNotFound: CodeMeaning = {
  code: -32001,
  name: 'TaskNotFoundError',
  about: 'calls that name a task',
  fits: namesTask,
};
export const taskNotCancelable: CodeMeaning = {
  code: -32002,
  name: 'TaskNotCancelableError',
  about: 'tasks/cancel',
  fits: ({ operation }) => operation === 'CancelTask',
};
export const pushNotSupported: CodeMeaning = {
  code: -32003,
  name: 'PushNotificationNotSupportedError',
  about: 'push notification configs',
  fits: (exchange) => isPushCall(exchange) || sentConfigs(exchange).length > 0,
};

/** Codes of an older version are given only to calls that they can be about. */
export function legacyMeaningRule(rule: LegacyMeanings): Rule {
  const { id, level, version, summary, fix, meanings, good, bad } = rule;
  return defineRule({
    id,
    level,
    party: 'server',
    summary,
    spec: { [version]: '8.2' },
    bindings: ['JSONRPC'],
    scope: 'exchange',
    shown: 'failure',
    messages: { meaning: '{method} is refused with {code}, which means {name} and is about {about}' },
    why: 'Clients decide by the code alone what to do: forget the task, do without webhooks, ask for another card. Under the wrong code they do the wrong thing.',
    fix,
    examples: {
      good: good.map((call) => refused(version, call)),
      skip: [
        [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
        [
          rpc({
            method: 'GetTask',
            params: { id: 'task-9' },
            error: { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] },
          }),
        ],
      ],
      bad: bad.map((call) => ({ example: refused(version, call), messages: ['meaning'] as const })),
    },
    when: (exchange) =>
      exchange.operation !== undefined &&
      answeredErrors(exchange).some(({ error }) => meanings.some(({ code }) => code === error.code)),
    check: (exchange, { report }) => {
      for (const { error, at } of answeredErrors(exchange)) {
        const meaning = meanings.find(({ code }) => code === error.code);
        if (meaning === undefined || meaning.fits(exchange)) continue;
        report('meaning', {
          data: {
            method: exchange.wireMethod,
            code: error.code,
            name: meaning.name,
            about: meaning.about,
          },
          at: at('/code'),
          expected: `a code that can be about ${exchange.wireMethod}`,
          actual: error.code,
        });
      }
    },
  });
}

/** A call of this version that is refused. `tasks/get` and its like alone do not tell one from the other. */
function refused(version: ProtocolVersion, { code, method, params }: RefusedCall): Example {
  return [
    rpc({
      version: '0.3',
      ...(version === '0.3' ? {} : { headers: { 'A2A-Version': version } }),
      method,
      params,
      error: { code, message: 'It cannot be done' },
    }),
  ];
}
