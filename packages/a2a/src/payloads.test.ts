import type { Json, Operation, ProtocolVersion } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import type { Payload } from './decoded.ts';
import { extractRequest, extractResult, extractUnary } from './payloads.ts';

type Extraction = Parameters<typeof extractResult>[3];

const gathered = (
  version: ProtocolVersion,
  extract: (extraction: Extraction) => void,
): readonly Payload[] => {
  const into: Payload[] = [];
  extract({ place: { side: 'response', atNs: 7 }, version, into });
  return into;
};

const named = (payloads: readonly Payload[]): readonly string[] =>
  payloads.map(({ kind, pointer }) => `${kind} ${pointer}`.trim());

const ofResult = (value: Json | undefined, version: ProtocolVersion, stream = false): readonly string[] =>
  named(gathered(version, (extraction) => extractResult(value, '/result', stream, extraction)));

describe('objects of a result', () => {
  it.each<[Json, string]>([
    [{ task: {} }, 'task /result/task'],
    [{ message: {} }, 'message /result/message'],
    [{ msg: {} }, 'message /result/msg'],
    [{ statusUpdate: {} }, 'statusUpdate /result/statusUpdate'],
    [{ status_update: {} }, 'statusUpdate /result/status_update'],
    [{ artifactUpdate: {} }, 'artifactUpdate /result/artifactUpdate'],
    [{ artifact_update: {} }, 'artifactUpdate /result/artifact_update'],
    [{ kind: 'task' }, 'task /result'],
    [{ kind: 'message' }, 'message /result'],
    [{ kind: 'status-update' }, 'statusUpdate /result'],
    [{ kind: 'artifact-update' }, 'artifactUpdate /result'],
    [{ role: 'agent' }, 'message /result'],
    [{ parts: [] }, 'message /result'],
    [{ artifact: {}, status: {} }, 'artifactUpdate /result'],
    [{ status: {}, taskId: 't' }, 'statusUpdate /result'],
    [{ status: {}, final: false }, 'statusUpdate /result'],
    [{ status: {} }, 'task /result'],
  ])('are known bare and wrapped, in every spelling: %j', (value, expected) => {
    expect(ofResult(value, '1.0')).toEqual([expected]);
    expect(ofResult(value, '0.3')).toEqual([expected]);
  });

  it('are none in what is no object, holds none, or only names one', () => {
    for (const value of [undefined, null, 'task', [{ kind: 'task' }], {}, { task: 't' }, { kind: 'job' }])
      expect(ofResult(value, '1.0')).toEqual([]);
  });

  it('are those of the wrapper in 1.0, whatever lies beside it; in 0.x the object itself', () => {
    const both = { task: {}, status: {} };
    expect(ofResult(both, '1.0')).toEqual(['task /result/task']);
    expect(ofResult(both, '0.3')).toEqual(['task /result']);
    expect(ofResult({ task: 't', status: {} }, '1.0')).toEqual(['task /result']);
  });

  it('with a status are events in streams of 0.1, unless they have what only tasks have', () => {
    expect(ofResult({ id: 't', status: {} }, '0.1', true)).toEqual(['statusUpdate /result']);
    expect(ofResult({ id: 't', status: {} }, '0.1', false)).toEqual(['task /result']);
    expect(ofResult({ id: 't', status: {} }, '0.2', true)).toEqual(['task /result']);
    expect(ofResult({ id: 't', status: {}, artifacts: [] }, '0.1', true)).toEqual(['task /result']);
    expect(ofResult({ id: 't', status: {}, sessionId: 's' }, '0.1', true)).toEqual(['task /result']);
  });

  it('have the place that they were found at', () => {
    const [found] = gathered('1.0', (extraction) => extractResult({ task: {} }, '', true, extraction));
    expect(found).toMatchObject({ side: 'response', atNs: 7, pointer: '/task' });
  });
});

const ofUnary = (operation: Operation | undefined, result: Json): readonly string[] =>
  named(gathered('1.0', (extraction) => extractUnary(operation, result, '', extraction)));

describe('objects of a unary result', () => {
  it('are those that the operation gives', () => {
    expect(ofUnary('ListTasks', { tasks: [{}, 7, {}] })).toEqual(['task /tasks/0', 'task /tasks/2']);
    expect(ofUnary('ListTasks', [{}])).toEqual(['task /0']);
    expect(ofUnary('ListTasks', { tasks: {} })).toEqual([]);
    expect(ofUnary('ListTaskPushNotificationConfigs', { configs: [{}, 'x'] })).toEqual([
      'pushConfig /configs/0',
    ]);
    expect(ofUnary('ListTaskPushNotificationConfigs', [{}])).toEqual(['pushConfig /0']);
    expect(ofUnary('GetTaskPushNotificationConfig', { task: {} })).toEqual(['pushConfig']);
    expect(ofUnary('CreateTaskPushNotificationConfig', {})).toEqual(['pushConfig']);
    expect(ofUnary('GetExtendedAgentCard', { name: 'Echo' })).toEqual(['card']);
    expect(ofUnary('GetExtendedAgentCard', [])).toEqual([]);
    expect(ofUnary('GetTask', { status: {} })).toEqual(['task']);
    expect(ofUnary(undefined, { status: {} })).toEqual(['task']);
    expect(ofUnary('DeleteTaskPushNotificationConfig', { status: {}, tasks: [{}] })).toEqual([]);
    for (const operation of ['ListTasks', 'GetTaskPushNotificationConfig', 'GetTask'] as const)
      for (const result of [null, 'x', 7]) expect(ofUnary(operation, result)).toEqual([]);
  });

  it('say that an extended card is one, and of which version it is where it does not say', () => {
    const [payload] = gathered('0.3', (extraction) =>
      extractUnary('GetExtendedAgentCard', { name: 'Echo' }, '', extraction),
    );
    expect(payload).toMatchObject({ kind: 'card', card: { extended: true, version: '0.3' } });
  });
});

describe('objects of a request', () => {
  const ofRequest = (operation: Operation | undefined, body: Json, params: Json = body): readonly Payload[] =>
    gathered('1.0', (extraction) => extractRequest(operation, body, params, '/params', extraction));

  it('are the message of a send, under the name of JSON or of the 0.3 proto', () => {
    expect(named(ofRequest('SendMessage', { message: {}, request: {} }))).toEqual([
      'message /params/message',
    ]);
    expect(named(ofRequest('SendStreamingMessage', { message: 'x', request: {} }))).toEqual([
      'message /params/request',
    ]);
    expect(ofRequest('SendMessage', { message: 'x', request: 'y' })).toEqual([]);
    expect(ofRequest('SendMessage', 'x')).toEqual([]);
  });

  it('are the push configuration of a send, wherever some version has it', () => {
    for (const member of ['taskPushNotificationConfig', 'pushNotificationConfig', 'pushNotification']) {
      expect(named(ofRequest('SendMessage', { configuration: { [member]: {} } }))).toEqual([
        `pushConfig /params/configuration/${member}`,
      ]);
      const [beside, none] = ofRequest('SendMessage', { configuration: 'x', [member]: {} });
      expect(beside).toMatchObject({ pointer: `/params/${member}`, config: { inline: true } });
      expect(none).toBeUndefined();
      expect(ofRequest('SendMessage', { [member]: 'x' })).toEqual([]);
    }
  });

  it('are the configuration that is created, for the task that path or query name', () => {
    const created = (params: Json, body: Json = {}) =>
      ofRequest('CreateTaskPushNotificationConfig', body, params)[0];
    expect(created({ taskId: 't' })).toMatchObject({ config: { taskId: 't', inline: false } });
    expect(created({ taskId: 't' }, { taskId: 'own' })).toMatchObject({ config: { taskId: 'own' } });
    expect(created({ taskId: 7 })).toMatchObject({ config: { taskId: undefined } });
    expect(created('x')).toMatchObject({ config: { taskId: undefined } });
  });

  it('are none of other operations', () => {
    const body = { message: {}, configuration: { pushNotificationConfig: {} } };
    for (const operation of ['GetTask', undefined] as const) expect(ofRequest(operation, body)).toEqual([]);
  });
});
