import type { MessageView } from '@plugfest/a2a';
import { expect, it } from 'vitest';
import { contentOf, holdsOutput, textsOf } from './output-in-message.ts';

const message = (...parts: readonly { readonly kind: string; readonly text?: string }[]) =>
  ({ parts }) as unknown as MessageView;
const text = (words: string) => ({ kind: 'text', text: words });

it('a message holds output where it is long, or more than text', () => {
  expect(holdsOutput(message(text('done')))).toBe(false);
  expect(holdsOutput(message(text('x'.repeat(500))))).toBe(false);
  expect(holdsOutput(message(text('x'.repeat(501))))).toBe(true);
  expect(holdsOutput(message(text('x'.repeat(250)), text('x'.repeat(250))))).toBe(true);
  expect(holdsOutput(message(text('see'), { kind: 'url' }))).toBe(true);
});

it('its texts are those of its text parts', () => {
  expect(textsOf(message(text('a'), { kind: 'url', text: 'no' }, { kind: 'text' }, text('b')))).toEqual([
    'a',
    'b',
  ]);
});

it('as evidence it shows its texts, or else its kinds', () => {
  expect(contentOf(message(text('a'), text('b'), { kind: 'url' }))).toBe('a\nb');
  expect(contentOf(message({ kind: 'url' }, { kind: 'data' }))).toBe('url, data');
});
