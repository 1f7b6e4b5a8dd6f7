import type { Json } from '@plugfest/model';
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
});
