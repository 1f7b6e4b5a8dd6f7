import type { CapturedExchange } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { captured, capturedBody, type ExchangeSketch } from '../captured.fixture.ts';
import { decodeExchange } from '../decode.ts';
import { rpc, task } from '../protocol.fixture.ts';
import { cardExchangeVersion } from './card.ts';

/** The exchange with a request whose end was not seen. */
function withOpenRequest(sketch: ExchangeSketch, chunks?: readonly Uint8Array[]): CapturedExchange {
  const exchange = captured(sketch);
  const { request } = exchange;
  const given = chunks ?? request.body.chunks.map(({ bytes }) => bytes);
  return { ...exchange, request: { ...request, body: capturedBody(given, 110, { ended: false }) } };
}

describe('a request without body bytes', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['no length', {}, 'absent'],
    ['a length of zero', { 'Content-Length': ' 0 ' }, 'absent'],
    ['a length', { 'Content-Length': '7' }, 'truncated'],
    ['a transfer coding', { 'Transfer-Encoding': 'chunked' }, 'truncated'],
  ])('that announces %s, and whose end was not seen', (_what, headers, state) => {
    expect(decodeExchange(withOpenRequest({ headers })).request.json.state).toBe(state);
  });
});

describe('the version that a request asks for', () => {
  const asked = (target: string, headers: Readonly<Record<string, string>> = {}) => {
    const { a2aVersion, a2aVersionFrom } = decodeExchange(
      captured({ target, headers, body: rpc('GetTask') }),
    ).request;
    return [a2aVersion, a2aVersionFrom];
  };

  it('is that of the header, or else of the query in any letter case', () => {
    expect(asked('/?a2a-VERSION=0.3', { 'A2A-Version': '1.0' })).toEqual(['1.0', 'header']);
    expect(asked('/?x=y&a2a-VERSION=0.3')).toEqual(['0.3', 'query']);
    expect(asked('/?version=0.3')).toEqual([undefined, undefined]);
  });
});

describe('the time of what was found in a body', () => {
  const call = rpc('SendMessage', { message: { messageId: 'm' } });
  const times = (exchange: CapturedExchange) => decodeExchange(exchange).payloads.map(({ atNs }) => atNs);
  const chunksOf = (value: unknown): readonly Uint8Array[] => {
    const bytes = Buffer.from(JSON.stringify(value));
    return [bytes.subarray(0, 9), bytes.subarray(9)];
  };

  it('is that of its end, or else that of its last bytes', () => {
    expect(times(captured({ body: call }))).toEqual([111]);
    expect(times(withOpenRequest({ body: call }, chunksOf(call)))).toEqual([111]);
    const answer = { jsonrpc: '2.0', id: 'x', result: { task } };
    const response = { chunks: chunksOf(answer) };
    expect(times(captured({ body: rpc('SendMessage'), response }))).toEqual([212]);
    expect(times(captured({ body: rpc('SendMessage'), response: { ...response, ended: false } }))).toEqual([
      211,
    ]);
  });
});

describe('what wants to be JSON-RPC', () => {
  const kindOf = (body: ExchangeSketch['body']) =>
    decodeExchange(captured({ target: '/tasks', body: body ?? null })).dialect?.binding;

  it('is so on a path that HTTP+JSON has too: a call, one without version, and a batch of calls', () => {
    for (const body of [{ jsonrpc: '2.0' }, { method: 'tasks/get' }, [{ method: 'tasks/get' }, 7]])
      expect(kindOf(body)).toBe('JSONRPC');
  });

  it('is not any other body', () => {
    for (const body of [{}, { method: 7 }, [], [7], [{}, { jsonrpc: '2.0' }], 'jsonrpc'])
      expect(kindOf(body)).toBe('HTTP+JSON');
  });
});

describe('the version of a card exchange', () => {
  const path = '/.well-known/agent-card.json';

  it('is decided by the card, then by the header, the peer and the path', () => {
    expect(cardExchangeVersion({ supportedInterfaces: [] }, path, '0.3', { version: '0.2' })).toEqual({
      version: '1.0',
      decidedBy: 'shape',
    });
    expect(cardExchangeVersion({}, path, undefined, undefined)).toEqual({
      version: '0.3',
      decidedBy: 'shape',
    });
    expect(cardExchangeVersion(undefined, path, '0.3', { version: '0.2' })).toEqual({
      version: '0.3',
      decidedBy: 'header',
    });
    expect(cardExchangeVersion(undefined, path, 'x', { version: '0.2' })).toEqual({
      version: '0.2',
      decidedBy: 'peer',
    });
    expect(cardExchangeVersion(undefined, path, undefined, {})).toEqual({
      version: '1.0',
      decidedBy: 'default',
    });
    expect(cardExchangeVersion(undefined, '/.well-known/agent.json', undefined, undefined)).toEqual({
      version: '0.2',
      decidedBy: 'default',
    });
  });
});
