import type { Json, ProtocolVersion } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { captured, type ExchangeSketch } from './captured.fixture.ts';
import { decodeExchange } from './decode.ts';
import { grpcCall, jsonRpcVersion, type PeerContext, restVersion } from './dialect.ts';

const call = (method: string, params: Json = {}): Json => ({ jsonrpc: '2.0', id: 1, method, params });
const answer = (result: Json): NonNullable<ExchangeSketch['response']> => ({
  body: { jsonrpc: '2.0', id: 1, result },
});

function decided(sketch: ExchangeSketch, peer?: PeerContext): string {
  const { dialect, decidedBy } = decodeExchange(captured(sketch), peer === undefined ? {} : { peer });
  return `${dialect?.version} ${dialect?.binding} ${decidedBy}`;
}

const header = (value: string): Readonly<Record<string, string>> => ({ 'a2a-version': value });

describe('dialect of a JSON-RPC call', () => {
  it.each<[string, ExchangeSketch, PeerContext | undefined, string]>([
    ['1.0 by header', { body: call('SendMessage'), headers: header('1.0') }, undefined, '1.0 JSONRPC header'],
    [
      'a patch version',
      { body: call('SendMessage'), headers: header('1.0.7') },
      undefined,
      '1.0 JSONRPC header',
    ],
    ['a forgotten header', { body: call('SendMessage') }, undefined, '1.0 JSONRPC method'],
    [
      'a header that disagrees',
      { body: call('message/send'), headers: header('1.0') },
      undefined,
      '0.3 JSONRPC method',
    ],
    [
      'a retro-fitted 0.3 header',
      { body: call('message/send'), headers: header('0.3') },
      undefined,
      '0.3 JSONRPC header',
    ],
    ['the query', { target: '/a2a?A2A-Version=1.0', body: call('GetTask') }, undefined, '1.0 JSONRPC header'],
    ['the 0.1 send', { body: call('tasks/send') }, undefined, '0.1 JSONRPC method'],
    ['a 0.2 peer', { body: call('message/send') }, { version: '0.2' }, '0.2 JSONRPC peer'],
    ['a peer that cannot be', { body: call('message/send') }, { version: '1.0' }, '0.3 JSONRPC method'],
    ['an extension method', { body: call('ext.foo') }, { version: '1.0' }, '1.0 JSONRPC peer'],
    ['an unknown PascalCase method', { body: call('NoSuchMethod') }, undefined, '1.0 JSONRPC method'],
    ['an unknown 0.x method', { body: call('tasks/list') }, undefined, '0.3 JSONRPC method'],
    ['no method', { body: { jsonrpc: '2.0', id: 1 } }, undefined, '0.3 JSONRPC default'],
    ['malformed JSON', { bodyText: '{"jsonrpc":', headers: header('1.0') }, undefined, '1.0 JSONRPC header'],
    [
      'a version of the future',
      { body: call('GetTask'), headers: header('7.0') },
      undefined,
      '1.0 JSONRPC method',
    ],
  ])('%s', (_name, sketch, peer, expected) => {
    expect(decided(sketch, peer)).toBe(expected);
  });

  const shared = (result?: Json): ExchangeSketch => ({
    body: call('tasks/get', { id: 't' }),
    ...(result === undefined ? {} : { response: answer(result) }),
  });

  it.each<[string, ExchangeSketch, PeerContext | undefined, string]>([
    [
      'kind shows 0.3',
      shared({ kind: 'task', id: 't', status: { state: 'working' } }),
      { version: '0.1' },
      '0.3 JSONRPC shape',
    ],
    [
      'contextId shows 0.3',
      shared({ id: 't', contextId: 'c', status: { state: 'working' } }),
      undefined,
      '0.3 JSONRPC shape',
    ],
    [
      'sessionId shows 0.1',
      shared({ id: 't', sessionId: 's', status: { state: 'working' } }),
      undefined,
      '0.1 JSONRPC shape',
    ],
    [
      'part types show 0.1',
      shared({
        id: 't',
        status: { state: 'completed' },
        artifacts: [{ parts: [{ type: 'text', text: 'a' }], index: 0 }],
      }),
      undefined,
      '0.1 JSONRPC shape',
    ],
    ['0.2 looks like 0.3', shared({ kind: 'task', id: 't' }), { version: '0.2' }, '0.2 JSONRPC shape'],
    ['an error leaves it to the peer', shared(), { version: '0.1' }, '0.1 JSONRPC peer'],
    ['nothing at all', shared(), undefined, '0.3 JSONRPC default'],
  ])('shared names: %s', (_name, sketch, peer, expected) => {
    expect(decided(sketch, peer)).toBe(expected);
  });

  it('shows by the first event of a stream', () => {
    const sketch: ExchangeSketch = {
      body: call('tasks/resubscribe', { id: 't' }),
      response: {
        events: [{ jsonrpc: '2.0', id: 1, result: { id: 't', status: { state: 'completed' }, final: true } }],
      },
    };
    expect(decided(sketch)).toBe('0.1 JSONRPC shape');
  });
});

describe('dialect of an HTTP+JSON call', () => {
  it.each<[string, ExchangeSketch, PeerContext | undefined, string]>([
    [
      '1.0 by header',
      { target: '/message:send', body: {}, headers: header('1.0') },
      undefined,
      '1.0 HTTP+JSON header',
    ],
    [
      'a header over /v1',
      { target: '/v1/message:send', body: {}, headers: header('1.0') },
      undefined,
      '1.0 HTTP+JSON header',
    ],
    ['a forgotten header', { target: '/x/message:send', body: {} }, undefined, '1.0 HTTP+JSON path'],
    ['/v1', { target: '/v1/message:send', body: {} }, undefined, '0.3 HTTP+JSON path'],
    [
      '/v1 of a 1.0 interface URL',
      { target: '/x/v1/message:send', body: {} },
      { version: '1.0', basePaths: ['/x/v1'] },
      '1.0 HTTP+JSON peer',
    ],
    [
      '/v1 below a 1.0 interface URL',
      { target: '/x/v1/message:send', body: {} },
      { version: '1.0', basePaths: ['/x'] },
      '0.3 HTTP+JSON path',
    ],
    ['/v1/card', { method: 'GET', target: '/v1/card' }, undefined, '0.3 HTTP+JSON path'],
    [
      'the 0.2 extended card',
      { method: 'GET', target: '/agent/authenticatedExtendedCard' },
      undefined,
      '0.2 HTTP+JSON path',
    ],
  ])('%s', (_name, sketch, peer, expected) => {
    expect(decided(sketch, peer)).toBe(expected);
  });
});

describe('dialect of a delivery', () => {
  const delivery = (body: Json): ExchangeSketch => ({ edge: 'webhook', target: '/hook', body });
  it.each<[string, Json, ProtocolVersion | undefined, string]>([
    ['a wrapper', { task: { id: 't', status: {} } }, '0.3', '1.0 HTTP+JSON shape'],
    ['a bare task with kind', { kind: 'task', id: 't' }, undefined, '0.3 HTTP+JSON shape'],
    ['the same from a 0.2 agent', { kind: 'task', id: 't' }, '0.2', '0.2 HTTP+JSON shape'],
    [
      'a bare task with 1.0 states',
      { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } },
      undefined,
      '1.0 HTTP+JSON shape',
    ],
    [
      'a session',
      { id: 't', sessionId: 's', status: { state: 'working' } },
      undefined,
      '0.1 HTTP+JSON shape',
    ],
    ['nothing to see', { hello: 1 }, '0.3', '0.3 HTTP+JSON peer'],
  ])('%s', (_name, body, version, expected) => {
    expect(decided(delivery(body), version && { version })).toBe(expected);
  });
});

describe('dialect of a card', () => {
  it.each<[string, Json | undefined, string]>([
    [
      '/.well-known/agent-card.json',
      { supportedInterfaces: [], url: 'http://a', protocolVersion: '0.3.0' },
      '1.0',
    ],
    ['/.well-known/agent-card.json', { url: 'http://a', protocolVersion: '0.3.0' }, '0.3'],
    ['/.well-known/agent.json', { url: 'http://a', protocolVersion: '0.2.6' }, '0.2'],
    ['/.well-known/agent.json', { url: 'http://a', authentication: { schemes: [] } }, '0.1'],
    ['/.well-known/agent-card.json', { url: 'http://a' }, '0.3'],
    ['/.well-known/agent.json', { url: 'http://a' }, '0.2'],
    ['/.well-known/agent.json', undefined, '0.2'],
    ['/.well-known/agent-card.json', undefined, '1.0'],
  ])('%s %j is %s', (target, body, version) => {
    const response = body === undefined ? { status: 404 } : { body };
    const { kind, dialect } = decodeExchange(captured({ method: 'GET', target, response }));
    expect([kind, dialect?.version]).toEqual(['card', version]);
  });
});

describe('what the callee is known to speak', () => {
  const rpcVersion = (method: unknown, a2aVersion?: string, peer?: PeerContext, result?: Json): string => {
    const { version, decidedBy } = jsonRpcVersion(method, a2aVersion, () => result, peer);
    return `${version} ${decidedBy}`;
  };

  it('decides among the versions of a JSON-RPC method only', () => {
    expect(rpcVersion('tasks/get', undefined, { version: '0.1' })).toBe('0.1 peer');
    expect(rpcVersion('tasks/get', undefined, { version: '1.0' })).toBe('0.3 default');
    expect(rpcVersion('tasks/get', undefined, { version: '0.1' }, { kind: 'task' })).toBe('0.3 shape');
    expect(rpcVersion('tasks/get', '0.1', { version: '0.2' })).toBe('0.1 header');
    expect(rpcVersion('GetTask', undefined, { version: '0.3' })).toBe('1.0 method');
  });

  it('decides methods that no version has, unless their name is of 1.0', () => {
    expect(rpcVersion('tasks/list', undefined, { version: '0.2' })).toBe('0.2 peer');
    expect(rpcVersion('Tasks/list', undefined, undefined)).toBe('0.3 method');
    expect(rpcVersion('list', undefined, undefined)).toBe('0.3 default');
    expect(rpcVersion('getTask', undefined, { version: '0.2' })).toBe('0.2 peer');
    expect(rpcVersion('NoSuch', undefined, { version: '0.2' })).toBe('1.0 method');
    expect(rpcVersion('NoSuch', '0.3', { version: '0.2' })).toBe('0.3 header');
    expect(rpcVersion(7, undefined, { version: '0.2' })).toBe('0.2 peer');
    expect(rpcVersion(['A/b'], undefined, undefined)).toBe('0.3 default');
  });

  const path = (v1: boolean, base = '/x', legacyCard = false) => ({ base, v1, legacyCard });
  const rest = (where: ReturnType<typeof path>, a2aVersion?: string, peer?: PeerContext): string => {
    const { version, decidedBy } = restVersion(where, a2aVersion, peer);
    return `${version} ${decidedBy}`;
  };

  it('decides whether `/v1` is of the interface or of the call', () => {
    expect(rest(path(true), undefined, { version: '1.0' })).toBe('1.0 peer');
    expect(rest(path(true), undefined, { version: '1.0', basePaths: [] })).toBe('0.3 path');
    expect(rest(path(true), undefined, { basePaths: ['/x/v1'] })).toBe('1.0 peer');
    expect(rest(path(true), undefined, { version: '0.3', basePaths: ['/x/v1'] })).toBe('0.3 path');
    expect(rest(path(true), undefined, { version: '0.2', basePaths: ['/x'] })).toBe('0.2 peer');
    expect(rest(path(true))).toBe('0.3 path');
    expect(rest(path(false), undefined, { version: '0.3' })).toBe('1.0 path');
  });

  it('is overruled by the header, but for 0.1, which has no HTTP+JSON', () => {
    expect(rest(path(true), '0.2', { version: '1.0' })).toBe('0.2 header');
    expect(rest(path(false), '0.1')).toBe('1.0 path');
    expect(rest(path(false, '/x', true), '0.1')).toBe('0.2 path');
    expect(rest(path(false, '/x', true), '0.3')).toBe('0.3 header');
  });

  const grpc = (target: string, a2aVersion?: string, peer?: PeerContext): string => {
    const call = grpcCall(target, a2aVersion, peer);
    return call === undefined ? 'none' : `${call.operation} ${call.version} ${call.decidedBy}`;
  };

  it('decides between 0.2 and 0.3, which share a gRPC package', () => {
    const old = '/a2a.v1.A2AService/GetTask';
    expect(grpc(old)).toBe('GetTask 0.3 path');
    expect(grpc(old, '0.2')).toBe('GetTask 0.2 header');
    expect(grpc(old, undefined, { version: '0.2' })).toBe('GetTask 0.2 peer');
    expect(grpc(old, '0.3', { version: '0.2' })).toBe('GetTask 0.3 path');
    expect(grpc(old, undefined, { version: '1.0' })).toBe('GetTask 0.3 path');
    const modern = '/lf.a2a.v1.A2AService/GetTask';
    expect(grpc(modern, '0.2', { version: '0.2' })).toBe('GetTask 1.0 path');
    expect(grpc(modern, undefined, { version: '0.2' })).toBe('GetTask 1.0 path');
  });

  it('decides gRPC calls that went astray, after package and header', () => {
    expect(grpc('/a2a.v1.A2AService/NoSuch', '1.0', { version: '0.2' })).toBe('undefined 0.3 path');
    expect(grpc('/lf.a2a.v1.A2AService/NoSuch')).toBe('undefined 1.0 path');
    expect(grpc('/a2a.A2AService/GetTask', '0.3', { version: '0.2' })).toBe('undefined 0.3 header');
    expect(grpc('/a2aservice/GetTask', undefined, { version: '0.2' })).toBe('undefined 0.2 peer');
    expect(grpc('/A2AService/GetTask')).toBe('undefined 1.0 default');
    for (const other of ['/x/A2AService/GetTask', '/A2AService/', '/A2AService/a/b', '/MyA2AService/GetTask'])
      expect(grpc(other)).toBe('none');
  });
});
