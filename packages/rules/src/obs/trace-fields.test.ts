import { describe, expect, it } from 'vitest';
import { traceparent, traceparentFault, tracestateFault } from './trace-fields.ts';

const parent = (...values: readonly string[]): string | undefined =>
  traceparentFault(values.flatMap((value) => ['traceparent', value]));
const state = (...values: readonly string[]): string | undefined =>
  tracestateFault(values.flatMap((value) => ['tracestate', value]));
const span = '00f067aa0ba902b7';

describe('traceparent', () => {
  it('may have more fields in versions to come', () => {
    expect(parent(`cc-${'1'.repeat(32)}-${span}-01-what-comes`)).toBeUndefined();
    expect(parent(traceparent(span))).toBeUndefined();
    expect(parent()).toBeUndefined();
  });

  it('is faulty in words that say how', () => {
    expect(parent(`${traceparent(span)}-more`)).toMatch(/hexadecimal/);
    expect(parent(traceparent(span), traceparent(span))).toMatch(/more than once/);
    expect(parent(`ff-${'1'.repeat(32)}-${span}-01`)).toMatch(/version ff/);
    expect(parent(traceparent(span, '0'.repeat(32)))).toMatch(/trace id of zeros/);
    expect(parent(traceparent('0'.repeat(16)))).toMatch(/parent id of zeros/);
    expect(parent(traceparent(span).toUpperCase())).toMatch(/upper-case/);
    expect(parent('')).toMatch(/hexadecimal/);
  });
});

describe('tracestate', () => {
  it('may be one list in several fields, with blanks and empty members', () => {
    expect(state('a=1, b=2 ,', 'c=3', 'tenant@system=x:y/z')).toBeUndefined();
    expect(state()).toBeUndefined();
  });

  it('is faulty in words that say how', () => {
    expect(state(Array.from({ length: 33 }, (_, i) => `k${i}=1`).join())).toMatch(/more than 32/);
    expect(state('Key=1')).toMatch(/valid key/);
    expect(state('key')).toMatch(/valid key/);
    expect(state('key=')).toMatch(/valid value/);
    expect(state('key=a=b')).toMatch(/valid value/);
    expect(state('a=1,b=2', 'a=3')).toMatch(/twice/);
  });
});
