import { gzipSync } from 'node:zlib';
import type { Json } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { captured, type ExchangeSketch } from '../captured.fixture.ts';
import { decodeExchange } from '../decode.ts';
import { rpc } from '../protocol.fixture.ts';
import { errorView } from './error.ts';
import { interpret, readEventData, readResponse } from './response.ts';

describe('interpret', () => {
  const rest = (value: Json | undefined, status?: number, errorEvent = false) =>
    interpret(value, 'HTTP+JSON', '1.0', status, errorEvent);

  it('takes every status from 200 to 299 for success', () => {
    const failed = [undefined, 199, 200, 299, 300].map(
      (status) => rest({ id: 't' }, status).error !== undefined,
    );
    expect(failed).toEqual([false, true, false, false, true]);
  });

  it('has the failure by its status, with the error object inside or the body itself', () => {
    const inner = { code: 5, message: 'none' };
    expect(rest({ error: inner }, 404)).toMatchObject({
      payload: undefined,
      error: { code: 404, message: 'none', value: inner, pointer: '/error' },
    });
    expect(rest({ message: 'none' }, 404)).toMatchObject({
      payload: undefined,
      error: { code: 404, message: 'none', pointer: '' },
    });
    expect(rest('none', 404)).toEqual({ rpc: undefined, payload: undefined, pointer: '', error: undefined });
    expect(rest('all', 200).payload).toBe('all');
  });

  it('takes an `error` member for an error where there is no result beside it', () => {
    const error = { code: 5 };
    expect(rest({ error })).toMatchObject({ payload: { error }, error: { code: 5, pointer: '/error' } });
    for (const value of [{ error, status: {} }, { error, task: {} }, { error: null }])
      expect(rest(value)).toEqual({ rpc: undefined, payload: value, pointer: '', error: undefined });
  });

  it('takes an event that is called error for one, whatever its binding', () => {
    const value = { code: -32001, message: 'none' };
    const error = { name: 'TaskNotFoundError', pointer: '' };
    expect(rest(value, undefined, true)).toMatchObject({ payload: undefined, error });
    expect(interpret(value, 'JSONRPC', '1.0', undefined, true)).toMatchObject({ error });
    expect(interpret('text', 'JSONRPC', '1.0', undefined, true)).toEqual({
      rpc: undefined,
      payload: undefined,
      pointer: '/result',
      error: undefined,
    });
  });

  it('takes a JSON-RPC result for one, though its event is called error or `error` is null', () => {
    const value = { jsonrpc: '2.0', id: 1, result: { id: 't' } };
    expect(interpret(value, 'JSONRPC', '1.0', undefined, true).error).toBeUndefined();
    expect(interpret({ ...value, error: null }, 'JSONRPC', '0.1')).toMatchObject({
      payload: { id: 't' },
      error: undefined,
    });
  });
});

describe('an error', () => {
  it('is described by a list of typed objects or by one alone', () => {
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' };
    for (const data of [info, [{ '@type': 'other' }, 7, info]])
      expect(errorView({ data }, '', '1.0')).toMatchObject({ name: 'TaskNotFoundError', errorInfo: info });
    expect(errorView({ data: [{ reason: 'TASK_NOT_FOUND' }] }, '', '1.0').name).toBeUndefined();
  });
});

describe('an event larger than Plugfest reads', () => {
  it('has no text', () => {
    expect(readEventData('{}', true, true, true)).toEqual({
      state: 'too-large',
      text: '',
      utf8: true,
      duplicates: [],
    });
  });
});

const streamed = (response: ExchangeSketch['response'], method = 'SendStreamingMessage') =>
  decodeExchange(captured({ body: rpc(method), response: response ?? {} })).response;

describe('a compressed stream', () => {
  const headers = { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' };
  const bytes = gzipSync('data: {"a":1}\n\ndata: {"b":2}\n\n');

  it('has its events at the time of its last chunk', () => {
    const response = streamed({ headers, chunks: [bytes.subarray(0, 9), bytes.subarray(9)] });
    expect(response?.events).toMatchObject([{ atNs: 211 }, { atNs: 211 }]);
    expect(response?.complete).toBe(true);
  });

  it('is not all there where the compression ends early or is none', () => {
    expect(streamed({ headers, chunks: [bytes.subarray(0, -8)] })?.complete).toBe(false);
    const none = streamed({ headers, chunks: [Buffer.from('data: {}\n\n')] });
    expect([none?.events, none?.complete]).toEqual([[], false]);
  });
});

describe('a body that begins like a stream under another media type', () => {
  const response = { headers: { 'Content-Type': 'text/plain' }, bodyText: ': hello\n\ndata: {"a":1}\n\n' };

  it('is one where the operation answers with a stream', () => {
    expect(streamed(response)?.events).toMatchObject([{ json: { value: { a: 1 } } }]);
    for (const start of ['data', 'event', 'id', 'retry', '\uFEFFdata'])
      expect(streamed({ ...response, bodyText: `${start}: x\n\n` })?.events).toBeDefined();
  });

  it('is none elsewhere', () => {
    expect(streamed(response, 'GetTask')?.events).toBeUndefined();
    for (const bodyText of ['datum: x\n\n', 'see data: x\n\n', ': only a comment\n\n', '{"data:": 1}'])
      expect(streamed({ ...response, bodyText })?.events).toBeUndefined();
  });
});

describe('a response without a body', () => {
  it.each([
    [204, 'POST', 'absent'],
    [304, 'GET', 'absent'],
    [200, 'HEAD', 'absent'],
    [200, 'GET', 'truncated'],
  ])('of status %i to %s, whose end was not seen, is %s', (status, verb, state) => {
    const { response } = captured({ response: { status, ended: false } });
    if (response === undefined) throw new Error('no response');
    expect(readResponse(response, verb, undefined).json.state).toBe(state);
  });
});
