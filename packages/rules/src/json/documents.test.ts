import { expect, it } from 'vitest';
import { camelCase } from './documents.ts';

it('spells a name of a proto field as JSON does', () => {
  expect(camelCase('context_id')).toBe('contextId');
  expect(camelCase('_context__id_')).toBe('ContextId_');
});

it('takes time in proportion to the length of a name that a peer made up', () => {
  const name = `${'_'.repeat(1_000_000)}!`;
  expect(camelCase(name)).toBe(name);
});
