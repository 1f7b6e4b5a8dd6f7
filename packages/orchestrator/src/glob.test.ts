import { expect, test } from 'vitest';
import { globMatches } from './glob.ts';

test.each([
  ['*', 'a>b/GRPC/1.0/stream', true],
  ['a>b/*/1.0/stream', 'a>b/HTTP+JSON/1.0/stream', true],
  ['a>b/*/1.0/stream', 'a>b/HTTP+JSON/1x0/stream', false],
  ['a>b/{HTTP+JSON,GRPC}/0.3/*', 'a>b/HTTP+JSON/0.3/stream', true],
  ['a>b/{HTTP+JSON,GRPC}/0.3/*', 'a>b/JSONRPC/0.3/stream', false],
  ['{a,b}>c/*/{push-*,stream?}', 'b>c/x/push-create', true],
  ['{a,b}>c/*/{push-*,stream?}', 'b>c/x/stream', false],
  ['{a.b}>c', 'axb>c', false],
  ['{a', '{a', true],
  ['a}{', 'a}{', true],
  ['a?c', 'abc', true],
  ['', '', true],
  ['', 'a', false],
  ['{}a', 'a', true],
  ['{,b}a', 'ba', true],
  ['{a,{b,c}}', '{a,b}', true],
  ['**', 'a', true],
  ['a*', 'a', true],
  ['?', '', false],
  ['*?', 'ab', true],
  // Each takes minutes of whoever tries all ways.
  ['*a'.repeat(20), 'a'.repeat(60), true],
  [`${'*a'.repeat(20)}#`, 'a'.repeat(60), false],
  [`${'{*,**}'.repeat(20)}#`, 'a>b/JSONRPC/1.0/cancel', false],
])('%s on %s: %s', (glob, value, matches) => {
  expect(globMatches(glob, value)).toBe(matches);
});
