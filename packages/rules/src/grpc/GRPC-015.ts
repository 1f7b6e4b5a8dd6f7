import type { DecodedExchange } from '@plugfest/a2a';
import { type FindingLocation, isJsonObject, type Json, type Operation } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { grpc } from '@plugfest/verifier/examples';
import { elsewhere, faultless03, faultless10, v03 } from './calls.ts';

type Resource = 'task' | 'config';

const forms: Readonly<Record<Resource, RegExp>> = {
  task: /^tasks\/[^/]+$/,
  // 0.2.2 to 0.2.4 had the shorter one.
  config: /^tasks\/[^/]+\/pushNotification(?:Config)?s\/[^/]+$/,
};
const expected: Readonly<Record<Resource, string>> = {
  task: 'tasks/{id}',
  config: 'tasks/{id}/pushNotificationConfigs/{id}',
};

/** Fields of the requests that name a resource. */
const named: Readonly<Partial<Record<Operation, readonly [field: 'name' | 'parent', Resource]>>> = {
  GetTask: ['name', 'task'],
  CancelTask: ['name', 'task'],
  SubscribeToTask: ['name', 'task'],
  CreateTaskPushNotificationConfig: ['parent', 'task'],
  ListTaskPushNotificationConfigs: ['parent', 'task'],
  GetTaskPushNotificationConfig: ['name', 'config'],
  DeleteTaskPushNotificationConfig: ['name', 'config'],
};

interface ResourceName {
  readonly resource: Resource;
  readonly value: Json | undefined;
  readonly at: FindingLocation;
}

/** The names in a call. Those in answers are of configurations, and may be left out by agents that know one only. */
function namesIn({ operation, request, response }: DecodedExchange): readonly ResourceName[] {
  if (operation === undefined) return [];
  const all: ResourceName[] = [];
  const place = named[operation];
  if (place !== undefined && isJsonObject(request.json.value)) {
    const [field, resource] = place;
    const at = { side: 'request', pointer: `/${field}` } as const;
    all.push({ resource, value: request.json.value[field], at });
  }
  const result = response?.result;
  if (isJsonObject(result) && operation.endsWith('TaskPushNotificationConfig') && result.name !== undefined)
    all.push({ resource: 'config', value: result.name, at: { side: 'response', pointer: '/name' } });
  if (isJsonObject(result) && Array.isArray(result.configs))
    result.configs.forEach((config: Json, index) => {
      if (isJsonObject(config) && config.name !== undefined)
        all.push({
          resource: 'config',
          value: config.name,
          at: { side: 'response', pointer: `/configs/${index}/name` },
        });
    });
  return all;
}

const get = { version: '0.3', method: 'GetTask', response: v03.task } as const;
const config = (name: string) => ({
  name,
  pushNotificationConfig: { id: 'config-1', url: 'https://hook.example/push' },
});
const getConfig = { version: '0.3', method: 'GetTaskPushNotificationConfig' } as const;
const right = 'tasks/task-1/pushNotificationConfigs/config-1';

export default defineRule({
  id: 'GRPC-015',
  level: 'MUST',
  party: 'sender',
  summary:
    'Up to 0.3 tasks are named tasks/{id}, and configurations tasks/{id}/pushNotificationConfigs/{id}.',
  spec: { '0.2': 'a2a.proto', '0.3': '3.2.2' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: { name: 'The {resource} is named {found}' },
  why: 'The agent cuts the id out of the name: from a bare id it gets nothing, and answers NOT_FOUND for a task that it has.',
  fix: 'Build names as the comments of the proto say: "tasks/" and the id, and for configurations "/pushNotificationConfigs/" and theirs.',
  examples: {
    good: [faultless03.get, [grpc({ ...getConfig, request: { name: right }, response: config(right) })]],
    skip: [faultless10.get, faultless03.send, elsewhere],
    bad: [
      { example: [grpc({ ...get, request: { name: 'task-1' } })], messages: ['name'] },
      { example: [grpc({ ...get, request: {} })], messages: ['name'] },
      {
        example: [grpc({ ...getConfig, request: { name: right }, response: config('config-1') })],
        messages: ['name'],
      },
      {
        example: [
          grpc({
            version: '0.3',
            method: 'ListTaskPushNotificationConfig',
            request: { parent: 'tasks/task-1' },
            response: {
              configs: [
                config(right),
                config('config-1'),
                { pushNotificationConfig: config(right).pushNotificationConfig },
              ],
            },
          }),
        ],
        messages: ['name'],
      },
    ],
  },
  when: (exchange) => namesIn(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const { resource, value, at } of namesIn(exchange))
      if (typeof value !== 'string' || !forms[resource].test(value))
        report('name', {
          data: { resource: resource === 'task' ? 'task' : 'configuration', found: value ?? 'nothing' },
          at,
          expected: expected[resource],
          actual: value,
        });
  },
});
