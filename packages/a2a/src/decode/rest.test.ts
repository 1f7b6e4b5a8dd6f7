import { describe, expect, it } from 'vitest';
import { restParams, restRoute } from './rest.ts';

describe('restRoute', () => {
  it.each([
    ['POST', '/message:send', 'SendMessage /message:send'],
    ['POST', '/message:stream', 'SendStreamingMessage /message:stream'],
    ['POST', '/message%3Asend', 'SendMessage /message:send'],
    ['POST', '/message%3astream', 'SendStreamingMessage /message:stream'],
    ['GET', '/tasks/t%3Acancel', 'GetTask /tasks/{id}'],
    ['POST', '/v1/message:stream', 'SendStreamingMessage /v1/message:stream v1'],
    ['GET', '/extendedAgentCard', 'GetExtendedAgentCard /extendedAgentCard'],
    ['GET', '/v1/card', 'GetExtendedAgentCard /v1/card v1'],
    ['GET', '/agent/authenticatedExtendedCard', 'GetExtendedAgentCard /agent/authenticatedExtendedCard'],
    ['GET', '/tasks', 'ListTasks /tasks'],
    ['GET', '/tasks/t', 'GetTask /tasks/{id}'],
    ['POST', '/tasks/t:cancel', 'CancelTask /tasks/{id}:cancel'],
    ['GET', '/tasks/t:subscribe', 'SubscribeToTask /tasks/{id}:subscribe'],
    ['POST', '/tasks/t:foo', 'undefined /tasks/{id}:{verb}'],
    ['GET', '/tasks/t:foo', 'GetTask /tasks/{id}'],
    ['POST', '/tasks/t', 'GetTask /tasks/{id}'],
    ['POST', '/tasks/t:', 'GetTask /tasks/{id}'],
    [
      'POST',
      '/tasks/t/pushNotificationConfigs',
      'CreateTaskPushNotificationConfig /tasks/{id}/pushNotificationConfigs',
    ],
    [
      'GET',
      '/task/t/pushNotificationConfigs',
      'ListTaskPushNotificationConfigs /tasks/{id}/pushNotificationConfigs',
    ],
    [
      'GET',
      '/tasks/t/pushNotificationConfigs/c',
      'GetTaskPushNotificationConfig /tasks/{id}/pushNotificationConfigs/{configId}',
    ],
    [
      'DELETE',
      '/task/t/pushNotificationConfigs/c',
      'DeleteTaskPushNotificationConfig /tasks/{id}/pushNotificationConfigs/{configId}',
    ],
  ])('knows %s %s', (verb, path, expected) => {
    for (const base of ['', '/base', '/base/v1/x']) {
      const route = restRoute(verb, `${base}${path}`);
      const found = `${route?.operation} ${route?.pattern}${route?.v1 ? ' v1' : ''}`;
      expect([found, route?.base]).toEqual([expected, base]);
    }
  });

  it.each([
    '/',
    '/a2a',
    '/message',
    '/card',
    '/v2/card',
    '/authenticatedExtendedCard',
    '/other/t/pushNotificationConfigs',
    '/other/t/pushNotificationConfigs/c',
    '/pushNotificationConfigs',
    '/pushNotificationConfigs/c',
    '/task/t',
    '/task',
  ])('is none for %s', (path) => {
    expect(restRoute('GET', path)).toBeUndefined();
  });

  it('tells paths that no other service has from those that others have too', () => {
    const distinctive = (path: string) => restRoute('POST', path)?.distinctive;
    expect(
      [
        '/message:send',
        '/tasks/t:cancel',
        '/tasks/t/pushNotificationConfigs',
        '/tasks/t/pushNotificationConfigs/c',
        '/extendedAgentCard',
        '/agent/authenticatedExtendedCard',
      ].map(distinctive),
    ).toEqual([true, true, true, true, true, true]);
    expect(['/tasks', '/tasks/t', '/tasks/t:foo', '/v1/card'].map(distinctive)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('knows the 0.2 path of the extended card from those of later versions', () => {
    const legacy = (path: string) => restRoute('GET', path)?.legacyCard;
    expect(legacy('/agent/authenticatedExtendedCard')).toBe(true);
    expect(['/extendedAgentCard', '/v1/card', '/tasks/t'].map(legacy)).toEqual([false, false, false]);
  });

  it('decodes ids, and cuts them at the last colon only where a verb follows', () => {
    expect(restRoute('POST', '/tasks/a%3Ab:c:cancel')?.taskId).toBe('a:b:c');
    expect(restRoute('POST', '/tasks/a:foo')?.taskId).toBe('a:foo');
    expect(restRoute('GET', '/tasks/t%20/pushNotificationConfigs/c%2F')).toMatchObject({
      taskId: 't ',
      configId: 'c/',
    });
  });
});

describe('restParams', () => {
  const route = (verb: string, path: string) => {
    const found = restRoute(verb, path);
    if (found === undefined) throw new Error(`no route: ${path}`);
    return found;
  };

  it('has the path before the query, and the query before the body', () => {
    const query = [
      ['id', 'query'],
      ['b', 'query'],
    ] as const;
    const body = { id: 'body', b: 'body', c: 'body' };
    expect(restParams(route('POST', '/tasks/t:cancel'), query, body, undefined)).toEqual({
      id: 't',
      b: 'query',
      c: 'body',
    });
  });

  it('is the body as it is where nothing else says anything', () => {
    const send = route('POST', '/message:send');
    expect(restParams(send, [['A2A-Version', '1.0']], 'text', undefined)).toBe('text');
    expect(restParams(send, [], undefined, undefined)).toBeUndefined();
    expect(restParams(send, [['a', 'b']], 'text', undefined)).toEqual({ a: 'b' });
  });

  it('reads numbers and truth values of the query where the operation has them', () => {
    const query = [
      ['historyLength', '-3'],
      ['pageSize', '12345678901'],
      ['includeArtifacts', 'true'],
      ['status', 'true'],
      ['pageToken', '7'],
    ] as const;
    expect(restParams(route('GET', '/tasks'), query, undefined, undefined)).toEqual({
      historyLength: -3,
      pageSize: '12345678901',
      includeArtifacts: true,
      status: 'true',
      pageToken: '7',
    });
    const others = [
      ['historyLength', '3x'],
      ['pageSize', 'x3'],
      ['includeArtifacts', 'false'],
    ] as const;
    expect(restParams(route('GET', '/tasks'), others, undefined, undefined)).toEqual({
      historyLength: '3x',
      pageSize: 'x3',
      includeArtifacts: false,
    });
    expect(
      restParams(
        route('GET', '/tasks'),
        [
          ['pageSize', '50'],
          ['historyLength', '1234567890'],
        ],
        undefined,
        undefined,
      ),
    ).toEqual({ pageSize: 50, historyLength: 1234567890 });
    expect(restParams(route('GET', '/tasks'), [['includeArtifacts', '1']], undefined, undefined)).toEqual({
      includeArtifacts: '1',
    });
  });

  it('names the task and the configuration as the operation does', () => {
    expect(restParams(route('GET', '/tasks/t/pushNotificationConfigs'), [], undefined, undefined)).toEqual({
      taskId: 't',
    });
    expect(restParams(route('GET', '/tasks/t/pushNotificationConfigs/c'), [], undefined, undefined)).toEqual({
      taskId: 't',
      id: 'c',
    });
  });

  it('finds the tenant right below a known base path only', () => {
    const tenant = (path: string, basePaths?: readonly string[]) =>
      restParams(route('GET', path), [], undefined, basePaths && { basePaths });
    expect(tenant('/base/acme%20/tasks', ['/base'])).toEqual({ tenant: 'acme ' });
    expect(tenant('/acme/tasks', [''])).toEqual({ tenant: 'acme' });
    expect(tenant('/acme/v1/tasks', [''])).toEqual({ tenant: 'acme' });
    for (const [path, bases] of [
      ['/base/tasks', ['/base', '']],
      ['/base/v1/tasks', ['/base/v1', '']],
      ['/base/a/b/tasks', ['/base']],
      ['/base/acme/tasks', []],
      ['/base/acme/tasks', undefined],
      ['tasks', ['']],
    ] as const)
      expect(tenant(path, bases)).toBeUndefined();
  });
});
