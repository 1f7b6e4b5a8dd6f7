import { describe, expect, it } from 'vitest';
import type { Example } from '../example.ts';
import { grpc } from '../grpc-traffic.ts';
import { v1, v03 } from '../protocol-objects.ts';
import { deliver, getCard, rest, restError, rpc, rpcStream } from '../traffic.ts';
import type { Target } from './dialect.ts';
import { translate, whyNot } from './translate.ts';

const to = (version: Target['version'], binding: Target['binding']): Target => ({ version, binding });
const send = rpc({
  method: 'SendMessage',
  params: { message: v1.message('hello'), configuration: { historyLength: 2 } },
  headers: { Authorization: 'Bearer t-1' },
  result: { task: v1.task('COMPLETED') },
});
const get = rpc({
  method: 'GetTask',
  params: { id: 'task-1', historyLength: 0 },
  result: v1.task('CANCELED'),
});
const notFound = {
  code: -32001,
  message: 'No such task',
  data: [v1.errorInfo('TASK_NOT_FOUND')],
};

/** The only exchange of a translation. */
function only(example: Example, target: Target): Record<string, unknown> {
  const translated = translate(example, target);
  expect(translated, whyNot(example, target)).toHaveLength(example.length);
  return translated?.at(-1) as unknown as Record<string, unknown>;
}

describe('an example in another binding', () => {
  it('has path, query and headers over HTTP+JSON', () => {
    expect(only([get], to('1.0', 'HTTP+JSON'))).toMatchObject({
      request: {
        method: 'GET',
        url: 'https://agent.example/rest/tasks/task-1?historyLength=0',
        headers: { 'A2A-Version': '1.0' },
      },
      response: { status: 200, body: v1.task('CANCELED') },
    });
    expect(only([send], to('1.0', 'HTTP+JSON'))).toMatchObject({
      request: {
        method: 'POST',
        url: 'https://agent.example/rest/message:send',
        headers: { 'Content-Type': 'application/a2a+json', Authorization: 'Bearer t-1' },
      },
    });
  });

  it('has metadata, messages and a status over gRPC', () => {
    expect(only([send], to('1.0', 'GRPC'))).toMatchObject({
      grpc: {
        method: '/lf.a2a.v1.A2AService/SendMessage',
        metadata: { 'a2a-version': '1.0', authorization: 'Bearer t-1' },
        status: 'OK',
        response: { task: { id: 'task-1' } },
      },
    });
  });

  it('says an error by status and details', () => {
    const failed = rpc({ method: 'GetTask', params: { id: 'task-9' }, error: notFound });
    expect(only([failed], to('1.0', 'HTTP+JSON'))).toMatchObject({
      response: { status: 404, body: restError(404, 'NOT_FOUND', 'No such task', notFound.data) },
    });
    expect(only([failed], to('1.0', 'GRPC'))).toMatchObject({
      grpc: { status: 'NOT_FOUND', details: notFound.data },
    });
  });

  it('comes back as it was', () => {
    const there = translate([send, get], to('1.0', 'HTTP+JSON')) ?? [];
    expect(translate(there, to('1.0', 'JSONRPC'))).toEqual([send, get]);
    const call = grpc({ method: 'GetTask', request: { id: 'task-1' }, response: v1.task('WORKING') });
    expect(translate(translate([call], to('1.0', 'JSONRPC')) ?? [], to('1.0', 'GRPC'))).toEqual([call]);
  });

  it('has the interfaces of its card in the same order of preference', () => {
    const [card] = translate([getCard(v1.card()), get], to('1.0', 'HTTP+JSON')) ?? [];
    expect(card).toMatchObject({
      response: {
        body: {
          supportedInterfaces: [
            { url: 'https://agent.example/rest', protocolBinding: 'HTTP+JSON' },
            { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC' },
          ],
        },
      },
    });
  });
});

describe('an example in an older version', () => {
  it('has bare objects with their kind in 0.3', () => {
    expect(only([send], to('0.3', 'JSONRPC'))).toMatchObject({
      request: {
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer t-1' },
        body: {
          method: 'message/send',
          params: {
            message: v03.message('hello'),
            configuration: { historyLength: 2, blocking: true },
          },
        },
      },
      response: { body: { result: v03.task('completed') } },
    });
  });

  it('says `final` where a 0.3 stream ends', () => {
    const stream = rpcStream({
      method: 'SendStreamingMessage',
      params: { message: v1.message('hello') },
      events: [{ task: v1.task('WORKING') }, v1.artifactUpdate('answer'), v1.statusUpdate('COMPLETED')],
    });
    expect(only([stream], to('0.3', 'JSONRPC'))).toMatchObject({
      response: {
        sse: [
          { data: { result: v03.task('working') } },
          { data: { result: v03.artifactUpdate('answer') } },
          { data: { result: v03.statusUpdate('completed') } },
        ],
      },
    });
  });

  it('has the names of the proto over gRPC and HTTP+JSON of 0.3', () => {
    expect(only([get], to('0.3', 'GRPC'))).toMatchObject({
      grpc: {
        method: '/a2a.v1.A2AService/GetTask',
        request: { name: 'tasks/task-1' },
        response: { status: { state: 'TASK_STATE_CANCELLED' } },
      },
    });
    expect(only([send], to('0.3', 'HTTP+JSON'))).toMatchObject({
      request: {
        url: 'https://agent.example/rest/v1/message:send',
        body: { message: { content: [{ text: 'hello' }], role: 'ROLE_USER' } },
      },
    });
  });

  it('begins with the card before 0.3, which says the version', () => {
    const [card, call] = translate([send], to('0.2', 'JSONRPC')) ?? [];
    expect(card).toMatchObject({
      request: { url: 'https://agent.example/.well-known/agent.json' },
      response: { body: { protocolVersion: '0.2.6' } },
    });
    expect(call).toMatchObject({ request: { body: { method: 'message/send' } } });
  });

  it('has sessions, ids of the client and counted artifacts in 0.1', () => {
    const [, call] = translate([send], to('0.1', 'JSONRPC')) ?? [];
    expect(call).toMatchObject({
      request: {
        body: {
          method: 'tasks/send',
          params: { id: 'task-1', message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] } },
        },
      },
      response: { body: { result: { id: 'task-1', sessionId: 'ctx-1', artifacts: [{ index: 0 }] } } },
    });
  });

  it('delivers the bare task', () => {
    const delivery = deliver({ task: v1.task('COMPLETED') });
    expect(only([delivery], to('0.3', 'JSONRPC'))).toMatchObject({
      request: { headers: { 'Content-Type': 'application/json' }, body: v03.task('completed') },
    });
  });

  it('keeps a fault of its envelope', () => {
    const faulty = rpc({
      method: 'GetTask',
      params: { id: 'task-1' },
      responseId: 7,
      result: v1.task('WORKING'),
    });
    expect(only([faulty], to('0.3', 'JSONRPC'))).toMatchObject({
      request: { body: { method: 'tasks/get', id: 1 } },
      response: { body: { id: 7, result: v03.task('working') } },
    });
  });
});

describe('what the target has no words for', () => {
  const unknownState = rpc({
    method: 'GetTask',
    params: { id: 'task-1' },
    result: v1.task('WORKING', { status: v1.status('WORKING', { state: 'TASK_STATE_PAUSED' }) }),
  });
  const cases: readonly (readonly [string, Example, Target])[] = [
    ['bytes that are no JSON', [rpc({ method: 'GetTask', requestText: '{' })], to('1.0', 'HTTP+JSON')],
    ['an unknown state, as an enum', [unknownState], to('1.0', 'GRPC')],
    ['an unknown state, in another version', [unknownState], to('0.3', 'JSONRPC')],
    [
      'a list of tasks, before 1.0',
      [
        rest({
          verb: 'GET',
          path: '/tasks',
          response: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 },
        }),
      ],
      to('0.3', 'JSONRPC'),
    ],
    [
      'a label of one binding',
      [rest({ verb: 'GET', path: '/tasks/task-1', responseHeaders: { 'Content-Type': 'text/plain' } })],
      to('1.0', 'JSONRPC'),
    ],
    [
      'a direct message, in 0.1',
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { message: v1.reply('hi') },
        }),
      ],
      to('0.1', 'JSONRPC'),
    ],
    [
      'a code that belongs to another error',
      [rpc({ method: 'GetTask', params: { id: 'task-9' }, error: { ...notFound, code: -32004 } })],
      to('1.0', 'HTTP+JSON'),
    ],
  ];
  it.each(cases)('is not translated: %s', (_what, example, target) => {
    expect(translate(example, target)).toBeUndefined();
    expect(whyNot(example, target)).not.toBe('');
  });
});
