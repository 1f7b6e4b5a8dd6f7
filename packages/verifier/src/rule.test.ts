import { expect, it } from 'vitest';
import { bindingsIn } from './rule.ts';

it('applies to its bindings in each of its versions, or to those that it has there', () => {
  const rule = {
    spec: { '0.3': '1', '1.0': '2' },
    bindings: ['JSONRPC', 'HTTP+JSON'],
    fewerBindings: { '0.3': ['JSONRPC'] },
  } as const;
  expect(bindingsIn(rule, '0.3')).toEqual(['JSONRPC']);
  expect(bindingsIn(rule, '1.0')).toEqual(['JSONRPC', 'HTTP+JSON']);
  expect(bindingsIn(rule, '0.2')).toEqual([]);
  expect(bindingsIn({ spec: rule.spec, bindings: rule.bindings }, '0.3')).toEqual(['JSONRPC', 'HTTP+JSON']);
});
