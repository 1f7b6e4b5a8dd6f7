import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Json } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { captured, type ExchangeSketch } from './captured.fixture.ts';
import { decodeExchange } from './decode.ts';
import { failure, message, result, rpc, task } from './protocol.fixture.ts';

const decode = (sketch: ExchangeSketch) => decodeExchange(captured(sketch));
const places = (sketch: ExchangeSketch): string[] =>
  decode(sketch).payloads.map(({ side, event, kind, pointer }) =>
    [side, ...(event === undefined ? [] : [event]), kind, pointer].join(' '),
  );

describe('decoding JSON-RPC', () => {
  it('finds the message, the inline push configuration and the task of a send', () => {
    const config = {
      url: 'https://hook.example',
      token: 't',
      authentication: { scheme: 'Bearer', credentials: 'c' },
    };
    const sketch: ExchangeSketch = {
      body: rpc('SendMessage', { message, configuration: { taskPushNotificationConfig: config } }),
      response: { body: result({ task }) },
    };
    expect(places(sketch)).toEqual([
      'request message /params/message',
      'request pushConfig /params/configuration/taskPushNotificationConfig',
      'response task /result/task',
    ]);
    const [sent, push, answered] = decode(sketch).payloads;
    expect(sent?.kind === 'message' && sent.message).toMatchObject({
      messageId: 'm-1',
      role: 'ROLE_USER',
      referenceTaskIds: ['t0'],
      parts: [{ kind: 'text', text: 'hello', pointer: '/params/message/parts/0' }],
    });
    expect(push?.kind === 'pushConfig' && push.config).toMatchObject({
      url: 'https://hook.example',
      token: 't',
      scheme: 'Bearer',
      credentials: 'c',
      inline: true,
    });
    expect(answered?.kind === 'task' && answered.task).toMatchObject({
      id: 'task-1',
      contextId: 'context-1',
      status: { state: 'TASK_STATE_COMPLETED', pointer: '/result/task/status' },
      artifacts: [
        { artifactId: 'a', parts: [{ kind: 'text', pointer: '/result/task/artifacts/0/parts/0' }] },
      ],
      history: [{ parts: [{ kind: 'raw', mediaType: 'image/png' }] }],
    });
  });

  it('sees 0.3 objects in the same views', () => {
    const { dialect, payloads } = decode({
      body: rpc('message/send', {
        message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
        configuration: {
          pushNotificationConfig: {
            id: 'p',
            url: 'u',
            authentication: { schemes: ['Basic'], credentials: 'c' },
          },
        },
      }),
      response: {
        body: result({
          kind: 'task',
          id: 't',
          contextId: 'c',
          status: { state: 'input-required', message: { role: 'agent', parts: [] } },
          artifacts: [
            { artifactId: 'a', parts: [{ kind: 'file', file: { uri: 'x', mimeType: 'text/csv' } }] },
          ],
        }),
      },
    });
    expect(dialect?.version).toBe('0.3');
    expect(payloads).toMatchObject([
      { kind: 'message', message: { role: 'ROLE_USER', parts: [{ kind: 'text' }] } },
      { kind: 'pushConfig', config: { id: 'p', scheme: 'Basic' } },
      {
        kind: 'task',
        task: {
          status: {
            state: 'TASK_STATE_INPUT_REQUIRED',
            rawState: 'input-required',
            message: { role: 'ROLE_AGENT', pointer: '/result/status/message' },
          },
          artifacts: [{ parts: [{ kind: 'url', mediaType: 'text/csv' }] }],
          history: undefined,
        },
      },
    ]);
  });

  it('sees 0.1 objects in the same views', () => {
    const { dialect, payloads } = decode({
      body: rpc('tasks/sendSubscribe', {
        id: 't',
        sessionId: 's',
        message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
        pushNotification: { url: 'u' },
      }),
      response: {
        events: [
          result({ id: 't', status: { state: 'working' } }),
          result({ id: 't', artifact: { parts: [{ type: 'text', text: 'a' }], index: 0, append: true } }),
          result({ id: 't', status: { state: 'completed' }, final: true }),
        ],
      },
    });
    expect(dialect?.version).toBe('0.1');
    expect(payloads).toMatchObject([
      { kind: 'message' },
      { kind: 'pushConfig', config: { url: 'u', inline: true } },
      { kind: 'statusUpdate', event: 0, update: { taskId: 't', final: undefined } },
      { kind: 'artifactUpdate', event: 1, update: { taskId: 't', append: true, lastChunk: false } },
      { kind: 'statusUpdate', event: 2, update: { status: { state: 'TASK_STATE_COMPLETED' }, final: true } },
    ]);
  });

  it('decodes push configurations of each version alike', () => {
    const one = (method: string, params: Json): Json | undefined => {
      const [payload] = decode({ body: rpc(method, params) }).payloads;
      if (payload?.kind !== 'pushConfig') return undefined;
      const { taskId, id, url, inline } = payload.config;
      return { taskId: taskId ?? null, id: id ?? null, url: url ?? null, inline };
    };
    const expected = { taskId: 't', id: 'p', url: 'u', inline: false };
    expect(one('CreateTaskPushNotificationConfig', { taskId: 't', id: 'p', url: 'u' })).toEqual(expected);
    const nested = { pushNotificationConfig: { id: 'p', url: 'u' } };
    expect(one('tasks/pushNotificationConfig/set', { taskId: 't', ...nested })).toEqual(expected);
    expect(one('tasks/pushNotification/set', { id: 't', ...nested })).toEqual(expected);
  });

  it('gives an event for each member of a faulty wrapper', () => {
    expect(
      places({ body: rpc('GetTask', { id: 't' }), response: { body: result({ task, message }) } }),
    ).toEqual(['response task /result/task', 'response message /result/message']);
  });

  it('takes members beside a wrapped task for unknown ones, whatever they are called', () => {
    for (const more of [{ role: 'agent' }, { parts: [] }, { status: 'fine' }])
      expect(
        places({ body: rpc('SendMessage', { message }), response: { body: result({ task, ...more }) } }),
      ).toEqual(['request message /params/message', 'response task /result/task']);
  });

  it('lists tasks and configurations, wrapped or bare', () => {
    expect(
      places({ body: rpc('ListTasks'), response: { body: result({ tasks: [task, 1, task] }) } }),
    ).toEqual(['response task /result/tasks/0', 'response task /result/tasks/2']);
    expect(
      places({
        body: rpc('tasks/pushNotificationConfig/list', { id: 't' }),
        response: { body: result([{ taskId: 't', pushNotificationConfig: { url: 'u' } }]) },
      }),
    ).toEqual(['response pushConfig /result/0']);
  });

  it('names errors by code in the version of the call, and finds ErrorInfo', () => {
    const data = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' }];
    const error = decode({
      body: rpc('GetTask', { id: 't' }),
      response: { body: failure({ code: -32001, message: 'no', data }) },
    }).response?.error;
    expect(error).toMatchObject({
      code: -32001,
      name: 'TaskNotFoundError',
      message: 'no',
      errorInfo: { reason: 'TASK_NOT_FOUND' },
      pointer: '/error',
    });
  });

  it('keeps the envelope as found, explicit nulls included', () => {
    const { request, response } = decode({
      body: { jsonrpc: '1.0', id: null, method: 7 },
      response: { body: { id: null, result: { a: 1 }, error: null } },
    });
    expect(request.rpc).toMatchObject({
      jsonrpc: '1.0',
      id: null,
      method: 7,
      members: ['jsonrpc', 'id', 'method'],
    });
    expect(response?.rpc?.members).toEqual(['id', 'result', 'error']);
    expect(response?.error).toBeUndefined();
  });

  it.each<[string, ExchangeSketch]>([
    ['malformed JSON', { bodyText: '{"jsonrpc":"2.0" "id":1}' }],
    ['an empty body', { headers: { 'Content-Type': 'application/json' } }],
    ['JSON that is no call', { body: { prompt: 'hello' } }],
    ['a batch', { body: [rpc('GetTask')] }],
    ['a call under a wrong media type', { body: rpc('GetTask'), headers: { 'Content-Type': 'text/plain' } }],
    ['a call to the path of its method', { target: '/a2a/tasks/send', body: rpc('tasks/send') }],
    ['a call that is put', { method: 'PUT', body: rpc('GetTask') }],
  ])('takes %s for JSON-RPC, for rules to judge', (_name, sketch) => {
    expect(decode(sketch)).toMatchObject({ kind: 'operation', dialect: { binding: 'JSONRPC' } });
  });
});

describe('decoding streams', () => {
  const call = rpc('SendStreamingMessage', { message });

  it('gives every event its payload, error, times and index', () => {
    const events: Json[] = [
      result({ task }),
      result({ statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } }),
      failure({ code: -32603, message: 'oops' }),
    ];
    const { response, payloads } = decode({ body: call, response: { events } });
    expect(response?.json.state).toBe('absent');
    expect(response?.events?.map(({ index, error, terminated }) => [index, error?.name, terminated])).toEqual(
      [
        [0, undefined, true],
        [1, undefined, true],
        [2, 'InternalError', true],
      ],
    );
    expect(payloads.slice(1).map(({ event, kind, atNs }) => [event, kind, atNs])).toEqual([
      [0, 'task', 210],
      [1, 'statusUpdate', 210],
    ]);
  });

  it('says where a stream was cut', () => {
    const text = `data: ${JSON.stringify(result({ task }))}\n\ndata: {"jsonrpc":"2.0","res`;
    const at = (ended: boolean) =>
      decode({
        body: call,
        response: { bodyText: text, headers: { 'Content-Type': 'text/event-stream' }, ended },
      }).response;
    expect(at(false)).toMatchObject({
      complete: false,
      events: [{}, { terminated: false, json: { state: 'truncated' } }],
    });
    expect(at(true)).toMatchObject({
      complete: true,
      events: [{}, { terminated: false, json: { state: 'invalid' } }],
    });
  });

  it('reads a stream under a wrong media type and a compressed one', () => {
    const text = `data: ${JSON.stringify(result({ task }))}\n\n`;
    for (const response of [
      { bodyText: text, headers: { 'Content-Type': 'text/plain' } },
      {
        chunks: [gzipSync(text)],
        headers: { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' },
      },
    ]) {
      expect(decode({ body: call, response }).response?.events).toHaveLength(1);
    }
  });

  it('takes an event named error for an error, enveloped or not', () => {
    const bodyText = 'event: error\ndata: {"code":-32603,"message":"oops"}\n\n';
    for (const [target, body] of [
      ['/a2a', call],
      ['/message:stream', { message }],
    ] as const) {
      const response = { bodyText, headers: { 'Content-Type': 'text/event-stream' } };
      expect(decode({ target, body, response }).response?.events?.[0]?.error).toMatchObject({
        name: 'InternalError',
        message: 'oops',
      });
    }
  });
});

describe('decoding HTTP+JSON', () => {
  it('merges body, path and query under their 1.0 names', () => {
    const params = (method: string, target: string, body?: Json): unknown =>
      decode({ method, target, ...(body === undefined ? {} : { body }) }).request.params;
    expect(params('GET', '/tasks/t%201?historyLength=2&A2A-Version=1.0')).toEqual({
      id: 't 1',
      historyLength: 2,
    });
    expect(params('GET', '/tasks?includeArtifacts=true&status=TASK_STATE_WORKING')).toEqual({
      includeArtifacts: true,
      status: 'TASK_STATE_WORKING',
    });
    expect(params('POST', '/tasks/t/pushNotificationConfigs', { url: 'u' })).toEqual({
      taskId: 't',
      url: 'u',
    });
    expect(params('DELETE', '/tasks/t/pushNotificationConfigs/p')).toEqual({ taskId: 't', id: 'p' });
    expect(params('POST', '/message:send', { message })).toEqual({ message });
    expect(params('POST', '/tasks/t:cancel', null)).toEqual({ id: 't' });
  });

  it('finds the tenant where the base path is known', () => {
    const exchange = captured({ method: 'GET', target: '/a2a/acme/tasks/t' });
    const at = (basePaths: string[]) => decodeExchange(exchange, { peer: { basePaths } }).request.params;
    expect(at(['/a2a'])).toEqual({ id: 't', tenant: 'acme' });
    expect(at(['/a2a/acme'])).toEqual({ id: 't' });
  });

  it('gives the configuration created by path its task', () => {
    const [payload] = decode({ target: '/tasks/t/pushNotificationConfigs', body: { url: 'u' } }).payloads;
    expect(payload).toMatchObject({ kind: 'pushConfig', pointer: '', config: { taskId: 't', url: 'u' } });
  });

  it('reads failures by status, and names them by reason', () => {
    const error = {
      code: 404,
      status: 'NOT_FOUND',
      message: 'no',
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' }],
    };
    const { response } = decode({
      method: 'GET',
      target: '/tasks/t',
      response: { status: 404, body: { error } },
    });
    expect(response).toMatchObject({
      result: undefined,
      error: { code: 404, name: 'TaskNotFoundError', pointer: '/error' },
    });
  });

  it('sees through a JSON-RPC envelope, which is a fault there', () => {
    const sketch = {
      target: '/message:send',
      body: rpc('SendMessage', { message }),
      response: { body: result({ task }) },
    };
    expect(decode(sketch).request.rpc?.method).toBe('SendMessage');
    expect(places(sketch)).toEqual(['request message /params/message', 'response task /result/task']);
  });

  it('reads extended cards as operations', () => {
    const card = { name: 'n', supportedInterfaces: [] };
    for (const target of ['/x/extendedAgentCard', '/v1/card']) {
      const { kind, operation, payloads } = decode({ method: 'GET', target, response: { body: card } });
      expect([kind, operation]).toEqual(['operation', 'GetExtendedAgentCard']);
      expect(payloads).toMatchObject([{ kind: 'card', card: { extended: true, name: 'n' } }]);
    }
  });
});

describe('decoding deliveries', () => {
  it('knows them by shape where the edge does not say', () => {
    for (const body of [
      { task },
      { statusUpdate: { taskId: 't', status: {} } },
      { kind: 'task', id: 't' },
      { id: 't', status: { state: 'completed' } },
      result({ kind: 'status-update', taskId: 't', status: { state: 'working' } }),
    ]) {
      expect(decode({ target: '/hook', body }).kind).toBe('webhook');
    }
    expect(decode({ target: '/hook', body: { message } }).kind).toBe('operation');
  });

  it('reads the body whatever its media type', () => {
    const headers = { 'Content-Type': 'application/octet-stream' };
    expect(decode({ edge: 'webhook', body: { task }, headers }).payloads).toMatchObject([{ kind: 'task' }]);
  });
});

describe('decoding anything else', () => {
  it.each<[string, ExchangeSketch]>([
    ['a preflight', { method: 'OPTIONS', target: '/.well-known/agent-card.json' }],
    ['a form', { bodyText: 'a=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
    ['a health check', { method: 'GET', target: '/health', response: { body: { status: 'ok' } } }],
    [
      'a page',
      {
        method: 'GET',
        target: '/',
        response: { bodyText: '<html>', headers: { 'Content-Type': 'text/html' } },
      },
    ],
  ])('%s is other', (_name, sketch) => {
    expect(decode(sketch)).toMatchObject({ kind: 'other', dialect: undefined, payloads: [] });
  });

  it.each<[string, ExchangeSketch, string]>([
    ['PATCH', { method: 'PATCH', target: '/message:send', body: {} }, 'operation'],
    ['a PUT of JSON', { method: 'PUT', target: '/a', body: { a: 1 } }, 'other'],
    ['a POST of JSON', { target: '/a', body: { a: 1 } }, 'operation'],
    [
      'a POST of some +json',
      { target: '/a', body: {}, headers: { 'Content-Type': 'x/y+json' } },
      'operation',
    ],
    ['a POST of text', { target: '/a', body: {}, headers: { 'Content-Type': 'text/plain' } }, 'other'],
    [
      'a card with status 299',
      { method: 'GET', target: '/agent.json', response: { status: 299, body: {} } },
      'card',
    ],
  ])('%s is judged by its verb and media type', (_name, sketch, kind) => {
    expect(decode(sketch).kind).toBe(kind);
  });

  it('a body that is too large to read is anything', () => {
    const exchange = captured({ target: '/tasks', body: {} });
    const { request } = exchange;
    const body = { ...request.body, storedBytes: 2 ** 30, totalBytes: 2 ** 30 };
    expect(decodeExchange({ ...exchange, request: { ...request, body } })).toMatchObject({
      kind: 'other',
      request: { json: { state: 'too-large' } },
    });
  });

  it('a card is what succeeded, and at paths of its own only what looks like one', () => {
    const cards = (target: string, status: number, body: Json) =>
      decode({ method: 'GET', target, response: { status, body } }).payloads.length;
    const card = { name: 'n', url: 'http://a', skills: [] };
    expect([199, 200, 299, 300].map((status) => cards('/agent.json', status, card))).toEqual([0, 1, 1, 0]);
    expect([cards('/agent.json', 200, {}), cards('/a.json', 200, {}), cards('/agent.json', 200, [])]).toEqual(
      [1, 0, 0],
    );
  });

  it('a delivery of 0.1 is a task, not an event of a stream', () => {
    const exchange = captured({ edge: 'webhook', body: { id: 't', status: { state: 'working' } } });
    expect(decodeExchange(exchange, { peer: { version: '0.1' } }).payloads).toMatchObject([{ kind: 'task' }]);
  });

  it('a card at a path of its own is a card', () => {
    const body = { name: 'n', url: 'http://a', skills: [], capabilities: {} };
    expect(decode({ method: 'GET', target: '/registry/n', response: { body } }).kind).toBe('card');
  });
});

describe('decoding compressed bodies', () => {
  it('reads a compressed call', () => {
    const body = brotliCompressSync(JSON.stringify(rpc('GetTask', { id: 't' })));
    expect(decode({ body, headers: { 'Content-Encoding': 'br' } }).operation).toBe('GetTask');
  });
});
