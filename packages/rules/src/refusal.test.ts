import type { DecodedExchange } from '@plugfest/a2a';
import type { Binding } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { concernsOperation, refusalOf, refusesCaller, refusesInput, wasServed } from './refusal.ts';

/** An exchange as far as its answer goes. */
const answered = (
  response: object | undefined,
  binding: Binding = 'JSONRPC',
  payloads: readonly object[] = [],
): DecodedExchange =>
  ({ dialect: { version: '1.0', binding }, payloads, response }) as unknown as DecodedExchange;

const error = (code: number, name?: string) => ({ code, name, value: null, pointer: '' });

describe('a refusal', () => {
  it('is the error of the answer, or of the first event', () => {
    const first = error(-32001);
    expect(refusalOf(answered({ error: first }))).toBe(first);
    expect(refusalOf(answered({ events: [{ error: first }] }))).toBe(first);
    expect(refusalOf(answered({ events: [{}, { error: first }] }))).toBeUndefined();
    expect(refusalOf(answered({ events: [] }))).toBeUndefined();
    expect(refusalOf(answered(undefined))).toBeUndefined();
  });

  it('concerns the operation where it has a name, and no earlier check gives it', () => {
    expect(concernsOperation({ ...error(1, 'TaskNotFoundError'), message: '' } as never)).toBe(true);
    expect(concernsOperation({ ...error(1, 'VersionNotSupportedError'), message: '' } as never)).toBe(false);
    expect(concernsOperation({ ...error(1), message: '' } as never)).toBe(false);
  });
});

describe('a call', () => {
  it.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ])('with status %s was served: %s', (status, served) => {
    expect(wasServed(answered({ status, result: {}, complete: true }))).toBe(served);
  });

  it('was served over JSON-RPC by a result, and elsewhere by a whole answer', () => {
    expect(wasServed(answered({ status: 200, complete: true }))).toBe(false);
    expect(wasServed(answered({ status: 200, result: null, complete: false }))).toBe(true);
    expect(wasServed(answered({ status: 200, complete: true }, 'HTTP+JSON'))).toBe(true);
    expect(wasServed(answered({ status: 200, result: {}, complete: false }, 'HTTP+JSON'))).toBe(false);
    expect(wasServed(answered({ status: 200, result: {}, error: error(1) }))).toBe(false);
    expect(wasServed(answered(undefined))).toBe(false);
  });

  it('was served by a stream that brought something', () => {
    const stream = { status: 200, events: [{}], complete: true };
    expect(wasServed(answered(stream, 'JSONRPC', [{ side: 'request' }]))).toBe(false);
    expect(wasServed(answered(stream, 'JSONRPC', [{ side: 'request' }, { side: 'response' }]))).toBe(true);
  });

  it.each<[Binding, object, boolean, boolean]>([
    ['JSONRPC', { status: 401 }, true, false],
    ['HTTP+JSON', { status: 403 }, true, false],
    ['HTTP+JSON', { status: 400 }, false, true],
    ['HTTP+JSON', { status: 404, error: error(16) }, false, false],
    ['GRPC', { status: 200, error: error(16) }, true, false],
    ['GRPC', { status: 200, error: error(7) }, true, false],
    ['GRPC', { status: 200, error: error(3) }, false, true],
    ['GRPC', { status: 401 }, false, false],
  ])('over %s with %s refuses caller or input', (binding, response, caller, input) => {
    expect(refusesCaller(answered(response, binding))).toBe(caller);
    expect(refusesInput(answered(response, binding))).toBe(input);
  });

  it('without an answer refuses nobody', () => {
    for (const binding of ['JSONRPC', 'GRPC'] as const) {
      expect(refusesCaller(answered(undefined, binding))).toBe(false);
      expect(refusesInput(answered(undefined, binding))).toBe(false);
    }
  });
});
