import { expect, test } from 'vitest';
import { Checks } from './checks.ts';
import { checkInOrder } from './tokens.ts';

test.each([
  ['N1 N2 N3', []],
  ['N1 N3', ['every token comes back', 'the tokens come back in order']],
  ['N2 N1 N3', ['the tokens come back in order']],
  ['N1 N2 N3 N1', ['no token comes back twice']],
])('tokens in %j', (text, failed) => {
  const checks = new Checks();
  checkInOrder(checks, 'here', ['N1', 'N2', 'N3'], text);
  const names = checks.list.filter(({ ok }) => !ok).map(({ name }) => name.replace(' here', ''));
  expect(names).toEqual(failed);
});
