import { isJsonObject, type Json, type JsonObject, type ProtocolVersion } from '@plugfest/model';
import type { Rule } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';

/** What is particular to the push configs of one era before 1.0. */
export interface LegacyShape {
  readonly id: string;
  readonly spec: Readonly<Partial<Record<ProtocolVersion, string>>>;
  readonly summary: string;
  readonly fix: string;
  /** Prefix of the methods, e.g. `tasks/pushNotification`. */
  readonly methods: string;
  /** The member of TaskPushNotificationConfig that names the task. */
  readonly task: 'id' | 'taskId';
  /** `null` as config: none is set, or none wanted any more. */
  readonly mayBeNull: boolean;
}

interface Member {
  readonly name: string;
  readonly kind: 'text' | 'config';
}

const isGood = (value: Json | undefined, { kind }: Member, mayBeNull: boolean): boolean => {
  if (kind === 'text') return typeof value === 'string' && value !== '';
  if (mayBeNull && value === null) return true;
  return isJsonObject(value);
};

/** Requests and results of the push config operations have the members of their time. */
export function legacyShapeRule(shape: LegacyShape): Rule {
  const { id, spec, summary, fix, methods, task, mayBeNull } = shape;
  const config = { [task]: 'task-1', pushNotificationConfig: v03.pushConfig() };
  const set = { version: '0.3', method: `${methods}/set`, params: config } as const;
  const get = { version: '0.3', method: `${methods}/get`, params: { id: 'task-1' } } as const;
  const invalid = { code: -32602, message: 'Invalid parameters' };
  const whole: readonly Member[] = [
    { name: task, kind: 'text' },
    { name: 'pushNotificationConfig', kind: 'config' },
  ];
  const named: readonly Member[] = [{ name: 'id', kind: 'text' }];
  const deleted: readonly Member[] = [...named, { name: 'pushNotificationConfigId', kind: 'text' }];
  return defineRule({
    id,
    level: 'MUST',
    party: 'sender',
    summary,
    spec,
    bindings: ['JSONRPC'],
    scope: 'exchange',
    messages: {
      request: 'The params of {method} have {found} as `{member}`',
      result: 'The result of {method} has {found} as `{member}`',
    },
    why: 'The other side reads these objects by their type: it refuses the call, or registers a webhook for no task.',
    fix,
    examples: {
      good: [
        [rpc({ ...set, result: config })],
        [rpc({ ...get, result: config })],
        ...(mayBeNull ? [[rpc({ ...get, result: { [task]: 'task-1', pushNotificationConfig: null } })]] : []),
      ],
      skip: [
        [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
        [
          rpc({
            version: '0.3',
            method: `${methods}/archive`,
            params: {},
            error: { code: -32601, message: 'Method not found' },
          }),
        ],
        [
          rpc({
            method: 'CreateTaskPushNotificationConfig',
            params: v1.pushConfig(),
            result: v1.pushConfig({ id: 'config-1' }),
          }),
        ],
      ],
      bad: [
        {
          example: [rpc({ ...set, params: { [task]: 'task-1', ...v03.pushConfig() }, error: invalid })],
          messages: ['request'],
        },
        {
          example: [rpc({ ...get, params: { name: 'task-1' }, error: invalid })],
          messages: ['request'],
        },
        { example: [rpc({ ...set, result: v03.pushConfig() })], messages: ['result', 'result'] },
        // 0.1 cannot delete a config.
        ...(task === 'taskId'
          ? [
              {
                example: [
                  rpc({
                    version: '0.3',
                    method: `${methods}/delete`,
                    params: { id: 'task-1' },
                    error: invalid,
                  }),
                ],
                messages: ['request'] as const,
              },
            ]
          : []),
      ],
    },
    when: ({ operation, wireMethod, request }) =>
      operation !== undefined &&
      wireMethod?.startsWith(`${methods}/`) === true &&
      isJsonObject(request.params),
    check: ({ operation, wireMethod, request, response }, { report }) => {
      const method = wireMethod ?? '';
      const params: JsonObject = isJsonObject(request.params) ? request.params : {};
      const isSet = operation === 'CreateTaskPushNotificationConfig';
      const isDelete = operation === 'DeleteTaskPushNotificationConfig';
      for (const member of isSet ? whole : isDelete ? deleted : named) {
        if (isGood(params[member.name], member, mayBeNull)) continue;
        report('request', {
          data: { method, member: member.name, found: params[member.name] ?? 'nothing' },
          at: { side: 'request', pointer: `${request.pointer}/${member.name}` },
          expected: member.kind === 'text' ? 'an id' : 'an object with the config',
          actual: params[member.name],
        });
      }
      // Lists and deletions have results of their own shapes (see RPC-024).
      if (!isSet && operation !== 'GetTaskPushNotificationConfig') return;
      if (response === undefined || response.error !== undefined || isUnread(response.json.state)) return;
      const { result, pointer } = response;
      if (!isJsonObject(result)) return;
      for (const member of whole) {
        if (isGood(result[member.name], member, mayBeNull)) continue;
        report('result', {
          data: { method, member: member.name, found: result[member.name] ?? 'nothing' },
          at: { side: 'response', pointer: `${pointer}/${member.name}` },
          expected: member.kind === 'text' ? 'the id of the task' : 'an object with the config',
          actual: result[member.name],
        });
      }
    },
  });
}
