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
  // What a shell's globs have besides is itself.
  ['SSE-00[34]', 'SSE-003', false],
  ['SSE-00[34]', 'SSE-00[34]', true],
  ['{1..3000000}', '2', false],
  ['{1..3000000}', '1..3000000', true],
  ['!(a)', 'b', false],
  ['a\\*', 'a*', false],
  ['a\\*', 'a\\b', true],
  ['.*', 'a', false],
])('%s on %s: %s', (glob, value, matches) => {
  expect(globMatches(glob, value)).toBe(matches);
});

test.each([
  ['many characters', 'x'.repeat(1_000_000), 'SSE-003', false],
  ['many stars', `${'*'.repeat(200_000)}3`, 'SSE-003', true],
  ['many braces', '{SSE-003}'.repeat(100_000), 'SSE-003', false],
  ['many choices', `{${'x,'.repeat(200_000)}SSE-003}`, 'SSE-003', true],
  ['braces that stay open', '{'.repeat(200_000), 'SSE-003', false],
  ['a value of many characters', '*b', `${'a'.repeat(300_000)}b`, true],
  ['many stars on many characters', '*a*a*a*c', `${'a'.repeat(100_000)}b`, false],
])('%s are soon decided', (_, glob, value, matches) => {
  expect(globMatches(glob, value)).toBe(matches);
});
