import { expect, it } from 'vitest';
import { withoutTrailingSlashes } from './trailing-slashes.ts';

it.each([
  ['https://agent.example/a2a//', 'https://agent.example/a2a'],
  ['/a//b', '/a//b'],
  ['//', ''],
  ['', ''],
])('takes the slashes off the end of %j', (url, expected) => {
  expect(withoutTrailingSlashes(url)).toBe(expected);
});

it('takes time in proportion to the length where a megabyte of slashes is not at the end', () => {
  const url = `https://agent.example${'/'.repeat(1_000_000)}a`;
  expect(withoutTrailingSlashes(url)).toBe(url);
});
