import { hash } from 'node:crypto';
import { cellId, type Json } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { captured, type ExchangeSketch } from './captured.fixture.ts';
import { decodeExchange } from './decode.ts';
import { summarise } from './summary.ts';

const summary = (sketch: ExchangeSketch) => summarise(decodeExchange(captured(sketch)));
const rpc = (method: string, params: Json): Json => ({ jsonrpc: '2.0', id: 1, method, params });
const result = (value: Json): Json => ({ jsonrpc: '2.0', id: 1, result: value });
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('summarise', () => {
  it('gathers ids of request and response, tokens, URLs and times', () => {
    const message = {
      messageId: 'm',
      role: 'ROLE_USER',
      contextId: 'c1',
      referenceTaskIds: ['r'],
      parts: [{ text: 'short' }, { text: 'Book a flight to\n  Lisbon' }],
    };
    const config = { url: 'https://hook', token: '‹hmac:1›' };
    const summarised = summary({
      headers: { traceparent, 'A2A-Version': '1.0' },
      body: rpc('SendStreamingMessage', { message, configuration: { taskPushNotificationConfig: config } }),
      response: {
        events: [
          result({ task: { id: 't', contextId: 'c1', status: { state: 'TASK_STATE_SUBMITTED' } } }),
          result({
            statusUpdate: { taskId: 't', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } },
          }),
        ],
      },
    });
    expect(summarised).toMatchObject({
      kind: 'operation',
      operation: 'SendStreamingMessage',
      wireMethod: 'SendStreamingMessage',
      binding: 'JSONRPC',
      version: '1.0',
      caller: 'client',
      callee: 'agent',
      startNs: 100,
      responseNs: 200,
      endNs: 300,
      status: 200,
      taskIds: ['t'],
      contextIds: ['c1'],
      messageIds: ['m'],
      referenceTaskIds: ['r'],
      pushTokens: ['‹hmac:1›'],
      pushUrls: ['https://hook'],
      state: 'TASK_STATE_COMPLETED',
      traceparent,
      events: [
        { kind: 'task', state: 'TASK_STATE_SUBMITTED' },
        { kind: 'statusUpdate', state: 'TASK_STATE_COMPLETED' },
      ],
    });
    expect(summarised).not.toHaveProperty('forwardedTraceparent');
    expect(summarised.partDigests).toHaveLength(1);
  });

  it('digests text parts alike however their white space runs', () => {
    const digest = (text: string) =>
      summary({ body: rpc('SendMessage', { message: { role: 'ROLE_USER', parts: [{ text }] } }) })
        .partDigests;
    expect(digest('Book a  flight to\nLisbon ')).toEqual(digest('Book a flight to Lisbon'));
    expect(digest('Book a flight to Lisbon')).not.toEqual(digest('Book a flight to Madrid'));
    expect(digest('too short')).toEqual([]);
  });

  it('digests the strings of data parts like texts, so that what an agent was told to send is found again', () => {
    const told = {
      data: {
        plugfest: 'drive/1',
        call: { op: 'SendMessage', message: { text: 'Book a flight to Lisbon' } },
      },
    };
    const digests = (part: Json) =>
      summary({ body: rpc('SendMessage', { message: { role: 'ROLE_USER', parts: [part] } }) }).partDigests;
    expect(digests(told)).toEqual(digests({ text: 'Book a flight to Lisbon' }));
    expect(digests({ data: Array.from({ length: 100 }, (_, n) => `a text with number ${n}`) })).toHaveLength(
      32,
    );
  });

  it('ties a delivery to its registration by token and URL', () => {
    const registered = summary({
      body: rpc('CreateTaskPushNotificationConfig', {
        taskId: 't',
        url: 'http://hooks.example/a',
        token: 'secret',
        authentication: { scheme: 'Bearer', credentials: 'credential' },
      }),
    });
    const delivered = summary({
      edge: 'webhook',
      target: '/a',
      headers: {
        Host: 'hooks.example',
        'X-A2A-Notification-Token': 'secret',
        Authorization: 'Bearer credential',
      },
      body: { task: { id: 't', status: { state: 'TASK_STATE_WORKING' } } },
    });
    expect(delivered.kind).toBe('webhook');
    expect(registered.pushTokens).toEqual(delivered.pushTokens);
    expect(registered.pushTokens.join()).not.toContain('secret');
    expect(registered.pushUrls).toEqual(delivered.pushUrls);
    expect([registered.taskIds, delivered.taskIds]).toEqual([['t'], ['t']]);
  });

  it('finds the task ids of calls that carry no object', () => {
    const ids = (sketch: ExchangeSketch) => summary(sketch).taskIds;
    expect(ids({ body: rpc('GetTask', { id: 't' }) })).toEqual(['t']);
    expect(ids({ body: rpc('tasks/pushNotificationConfig/list', { id: 't' }) })).toEqual(['t']);
    expect(ids({ body: rpc('GetTaskPushNotificationConfig', { taskId: 't', id: 'p' }) })).toEqual(['t']);
    expect(ids({ method: 'DELETE', target: '/v1/tasks/t/pushNotificationConfigs/p' })).toEqual(['t']);
    expect(ids({ body: rpc('tasks/send', { id: 't', sessionId: 's' }) })).toEqual(['t']);
  });

  it('gives the error by its reason, or else by its code', () => {
    const code = (error: Json) =>
      summary({ body: rpc('GetTask', { id: 't' }), response: { body: { jsonrpc: '2.0', id: 1, error } } })
        .errorCode;
    expect(code({ code: -32001 })).toBe('-32001');
    const data = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' }];
    expect(code({ code: -32001, data })).toBe('TASK_NOT_FOUND');
  });

  const inRequest = (message: Json) => summary({ body: rpc('SendMessage', { message }) });
  const inResponse = (value: Json) =>
    summary({ body: rpc('SendMessage', {}), response: { body: result(value) } });

  it('has the ids of every object, but for empty ones, and each once', () => {
    const update = { taskId: 't', contextId: 'c', status: {} };
    for (const value of [
      { task: { id: 't', contextId: 'c', status: {} } },
      { statusUpdate: update },
      { artifactUpdate: { ...update, artifact: {} } },
      { message: { role: 'ROLE_AGENT', taskId: 't', contextId: 'c' } },
    ])
      expect(inResponse(value)).toMatchObject({ taskIds: ['t'], contextIds: ['c'] });
    expect(inResponse({ task: { id: '', contextId: '', status: {} } })).toMatchObject({
      taskIds: [],
      contextIds: [],
    });
  });

  it('has the ids of messages that were sent, not of those that came back', () => {
    expect(inRequest({ messageId: 'm', role: 'ROLE_USER' }).messageIds).toEqual(['m']);
    expect(inRequest({ role: 'ROLE_USER' }).messageIds).toEqual([]);
    expect(inResponse({ message: { messageId: 'm', role: 'ROLE_AGENT' } }).messageIds).toEqual([]);
  });

  it('digests the parts of status messages and artifacts', () => {
    const parts: Json = [{ text: 'Book a flight to Lisbon' }];
    const { partDigests } = inRequest({ role: 'ROLE_USER', parts });
    const message = { role: 'ROLE_AGENT', parts };
    expect(partDigests).toHaveLength(1);
    for (const value of [
      { task: { id: 't', status: { message } } },
      { task: { id: 't', status: {}, artifacts: [{ parts }] } },
      { statusUpdate: { taskId: 't', status: { message } } },
      { artifactUpdate: { taskId: 't', artifact: { parts } } },
    ])
      expect(inResponse(value).partDigests).toEqual(partDigests);
    expect(inRequest({ role: 'ROLE_USER', parts: [{ url: 'http://a' }, 7] }).partDigests).toEqual([]);
  });

  it('digests texts of sixteen characters and more, white space aside', () => {
    const count = (text: string) => inRequest({ role: 'ROLE_USER', parts: [{ text }] }).partDigests.length;
    expect([count('0123456789abcdef'), count('0123456789abcde'), count('0123456789abcde ')]).toEqual([
      1, 0, 0,
    ]);
    // One character, composed and not.
    const [composed, not] = ['caf\u00e9 au lait, please', 'cafe\u0301 au lait, please'].map(
      (text) => inRequest({ role: 'ROLE_USER', parts: [{ text }] }).partDigests,
    );
    expect(composed).toEqual(not);
  });

  it('takes the ids of params by what the operation means with them', () => {
    const ids = (sketch: ExchangeSketch) => {
      const { taskIds, contextIds } = summary(sketch);
      return [taskIds, contextIds];
    };
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask'])
      expect(ids({ body: rpc(method, { id: 't' }) })).toEqual([['t'], []]);
    expect(ids({ body: rpc('ListTasks', { contextId: 'c', id: 'x' }) })).toEqual([[], ['c']]);
    expect(ids({ body: rpc('ListTasks', { contextId: 7, taskId: 7, id: 7 }) })).toEqual([[], []]);
    expect(ids({ body: rpc('tasks/send', { id: 't', sessionId: 's' }) })).toEqual([['t'], ['s']]);
    expect(ids({ body: rpc('tasks/sendSubscribe', { id: 't', sessionId: 7 }) })).toEqual([['t'], []]);
    expect(ids({ body: rpc('message/send', { id: 't', sessionId: 's' }) })).toEqual([[], []]);
    for (const name of ['set', 'get', 'list', 'delete'])
      expect(ids({ body: rpc(`tasks/pushNotificationConfig/${name}`, { id: 't' }) })).toEqual([['t'], []]);
    expect(ids({ body: rpc('DeleteTaskPushNotificationConfig', { id: 'p' }) })).toEqual([[], []]);
    expect(ids({ edge: 'webhook', body: { id: 'x', contextId: 'c' } })).toEqual([[], []]);
  });

  it('has the tokens and URLs of push configurations, those of the request only for URLs', () => {
    const config = {
      taskId: 't',
      id: 'p',
      url: 'http://hook',
      token: '',
      authentication: { credentials: '‹1›' },
    };
    expect(summary({ body: rpc('CreateTaskPushNotificationConfig', config) })).toMatchObject({
      taskIds: ['t'],
      pushTokens: ['‹1›'],
      pushUrls: ['http://hook'],
    });
    const got = {
      body: rpc('GetTaskPushNotificationConfig', { taskId: 't', id: 'p' }),
      response: { body: result(config) },
    };
    expect(summary(got)).toMatchObject({ pushTokens: ['‹1›'], pushUrls: [] });
  });

  it('has every URL that a delivery may have been registered under', () => {
    const urls = (sketch: ExchangeSketch) => summary({ edge: 'webhook', body: {}, ...sketch }).pushUrls;
    expect(urls({ target: '/hook', upstream: 'http://127.0.0.1:9/' })).toEqual([
      'http://127.0.0.1:9/hook',
      'http://agent.example/hook',
    ]);
    expect(urls({ target: '/hook', upstream: 'http://127.0.0.1:9/base' })).toContain(
      'http://127.0.0.1:9/base/hook',
    );
    expect(urls({ target: 'http://hooks.example/a', upstream: 'http://127.0.0.1:9' })).toEqual([
      'http://hooks.example/a',
    ]);
  });

  it('has every token of a delivery, whatever header carries it', () => {
    const tokens = (headers: Readonly<Record<string, string>>) =>
      summary({ edge: 'webhook', body: {}, headers }).pushTokens;
    expect(tokens({ 'X-A2A-Notification-Token': '‹1›', 'A2A-Notification-Token': '‹2›' })).toEqual([
      '‹1›',
      '‹2›',
    ]);
    expect(tokens({ Authorization: 'Bearer  ‹3›' })).toEqual(['‹3›']);
    expect(tokens({ Authorization: '‹4›' })).toEqual(['‹4›']);
    expect(tokens({})).toEqual([]);
    expect(summary({ body: rpc('GetTask', {}), headers: { Authorization: '‹5›' } }).pushTokens).toEqual([]);
  });

  it('has the kind and state of the first object of each event, and the last state of all', () => {
    const { events, state } = summary({
      body: rpc('SendStreamingMessage', {}),
      response: {
        events: [
          result({
            task: { id: 't', status: { state: 'TASK_STATE_WORKING' } },
            message: { role: 'ROLE_AGENT' },
          }),
          result({ artifactUpdate: { taskId: 't', artifact: {} } }),
          { jsonrpc: '2.0', id: 1, error: { code: -32603 } },
          result({ hello: 1 }),
        ],
      },
    });
    expect(events).toEqual([
      { atNs: 210, kind: 'task', state: 'TASK_STATE_WORKING' },
      { atNs: 210, kind: 'artifactUpdate' },
      { atNs: 210, kind: 'error' },
      { atNs: 210, kind: 'unknown' },
    ]);
    expect(state).toBe('TASK_STATE_WORKING');
  });

  it('has the last error of a stream, by its reason, code or name', () => {
    const streamed = (...errors: readonly Json[]) =>
      summary({
        body: rpc('SendStreamingMessage', {}),
        response: { events: errors.map((error) => ({ jsonrpc: '2.0', id: 1, error })) },
      }).errorCode;
    expect(streamed({ code: -32001 }, { code: -32603 }, null)).toBe('-32603');
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo' };
    expect(streamed({ data: [{ ...info, reason: 'X' }] })).toBe('X');
    expect(streamed({ code: 5, data: [{ ...info, reason: 7 }] })).toBe('5');
    expect(streamed()).toBeUndefined();
  });

  it('has the trace headers as they were received, and that of the proxy where it is another', () => {
    const exchange = captured({ body: rpc('GetTask', {}), headers: { traceparent, tracestate: 'a=b' } });
    const forwarded = (value: string) =>
      summarise(
        decodeExchange({
          ...exchange,
          request: { ...exchange.request, forwardedHeaders: ['traceparent', value] },
        }),
      );
    const other = traceparent.replace('b7ad', 'b7ae');
    expect(forwarded(other)).toMatchObject({ traceparent, tracestate: 'a=b', forwardedTraceparent: other });
    expect(forwarded(traceparent)).not.toHaveProperty('forwardedTraceparent');
    const none = summary({ body: rpc('GetTask', {}), headers: { traceparent: 'broken' } });
    expect(none).not.toHaveProperty('traceparent');
    expect(none).not.toHaveProperty('tracestate');
  });

  it('ends when the last thing was seen', () => {
    const exchange = captured({ body: rpc('GetTask', {}), response: { body: result({}), trailers: {} } });
    const endNs = (atNs: number) =>
      summarise(decodeExchange({ ...exchange, end: { kind: 'complete', atNs } })).endNs;
    expect([endNs(300), endNs(0)]).toEqual([300, 211]);
    const { response: _, ...unanswered } = exchange;
    expect(summarise(decodeExchange({ ...unanswered, end: { kind: 'open' } }))).toMatchObject({
      startNs: 100,
      endNs: 111,
      responseBytes: 0,
    });
  });

  it('has digests that others can compute: SHA-256, in hexadecimal', () => {
    const { partDigests } = summary({
      body: rpc('SendMessage', {
        message: { role: 'ROLE_USER', parts: [{ text: ' Book a  flight to Lisbon ' }] },
      }),
    });
    expect(partDigests).toEqual([hash('sha256', 'Book a flight to Lisbon')]);
    const { pushTokens } = summary({
      edge: 'webhook',
      body: {},
      headers: { Authorization: 'Bearer secret' },
    });
    expect(pushTokens).toEqual([`sha256:${hash('sha256', 'secret')}`]);
  });

  it('has the cell of its exchange, and the task of a configuration that came back', () => {
    const exchange = captured({
      body: rpc('GetTaskPushNotificationConfig', { id: 'p' }),
      response: { body: result({ taskId: 't', id: 'p', url: 'http://hook' }) },
    });
    expect(summarise(decodeExchange({ ...exchange, cell: cellId('cell-1') }))).toMatchObject({
      cell: 'cell-1',
      taskIds: ['t'],
    });
    expect(summarise(decodeExchange(exchange))).not.toHaveProperty('cell');
  });
});
