import type { Json } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { captured, type ExchangeSketch } from '../captured.fixture.ts';
import { type DecodeContext, decodeExchange } from '../decode.ts';

const kindOf = (sketch: ExchangeSketch, context?: DecodeContext): string =>
  decodeExchange(captured(sketch), context).kind;

describe('JSON-RPC of the Model Context Protocol', () => {
  const call = (method: string, headers: Record<string, string> = {}): ExchangeSketch => ({
    headers,
    body: { jsonrpc: '2.0', id: 1, method, params: { taskId: 't' } },
    response: { body: { jsonrpc: '2.0', id: 1, result: {} } },
  });

  it.each(['tasks/get', 'tasks/list', 'tasks/cancel'])(
    'is known by its headers where A2A has %s too',
    (method) => {
      expect(kindOf(call(method, { 'MCP-Protocol-Version': '2025-11-25' }))).toBe('other');
      expect(kindOf(call(method, { 'Mcp-Session-Id': 's-1' }))).toBe('other');
      expect(kindOf(call(method))).toBe('operation');
    },
  );

  it('is not what announces a version of A2A, or has a method of A2A alone', () => {
    expect(kindOf(call('tasks/get', { 'MCP-Protocol-Version': '1', 'A2A-Version': '0.3' }))).toBe(
      'operation',
    );
    expect(kindOf(call('message/send', { 'MCP-Protocol-Version': '1' }))).toBe('operation');
    expect(kindOf(call('tools/call', { 'MCP-Protocol-Version': '1' }))).toBe('operation');
  });
});

describe('/tasks of another service', () => {
  const get = (body: Json | undefined, more: Partial<ExchangeSketch> = {}): ExchangeSketch => ({
    method: 'GET',
    target: '/api/tasks/17',
    ...more,
    response: { ...(body === undefined ? { status: 204 } : { body }) },
  });
  const todo = { id: 17, title: 'paint', status: 'done' };

  it('is known by its answer', () => {
    expect(kindOf(get(todo))).toBe('other');
    expect(kindOf(get([todo], { target: '/api/tasks' }))).toBe('other');
    expect(kindOf(get(undefined, { method: 'DELETE' }))).toBe('other');
    expect(kindOf(get({ id: 18 }, { method: 'POST', target: '/api/tasks', body: { title: 'wash' } }))).toBe(
      'other',
    );
  });

  it('is not what shows a sign of A2A in the answer', () => {
    expect(kindOf(get({ id: 't', status: { state: 'TASK_STATE_WORKING' } }))).toBe('operation');
    expect(kindOf(get({ tasks: [] }, { target: '/tasks' }))).toBe('operation');
    expect(kindOf(get({ error: { code: 404, message: 'no' } }))).toBe('operation');
    expect(kindOf(get({ jsonrpc: '2.0', id: 1, result: null }))).toBe('operation');
    expect(kindOf(get({ contextId: 'c', status: 'done' }))).toBe('operation');
  });

  it('is not what shows one in the request, or in a card', () => {
    expect(kindOf(get(todo, { headers: { 'A2A-Version': '1.0' } }))).toBe('operation');
    expect(kindOf(get(todo, { headers: { 'A2A-Extensions': 'https://x.example/v1' } }))).toBe('operation');
    expect(kindOf(get(todo, { target: '/api/v1/tasks/17' }))).toBe('operation');
    expect(kindOf(get(todo, { target: '/api/v1/tasks/17' }), { peer: { basePaths: ['/a2a'] } })).toBe(
      'other',
    );
    expect(kindOf(get(todo, { target: '/api/v1/tasks/17' }), { peer: { basePaths: ['/api/v1'] } })).toBe(
      'operation',
    );
    expect(kindOf(get(todo, { target: '/api/message:send', method: 'POST' }))).toBe('operation');
    expect(kindOf(get(todo), { peer: { basePaths: ['/api'] } })).toBe('operation');
    expect(kindOf(get(todo), { peer: { basePaths: ['/a2a'], version: '1.0' } })).toBe('other');
  });

  it('is not known without an answer that was read', () => {
    expect(kindOf({ method: 'GET', target: '/tasks/17' })).toBe('operation');
    const cut = { bodyText: '{"id":17,', lostBytes: 100 };
    expect(kindOf({ method: 'GET', target: '/tasks/17', response: cut })).toBe('operation');
  });
});
