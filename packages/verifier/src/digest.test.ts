import { describe, expect, it } from 'vitest';
import { rpc, v1 } from './examples/index.ts';
import type { More } from './examples/protocol-objects.ts';
import { conversationOf } from './testing/conversation.ts';

/** What the index keeps of an artifact. */
function kept(artifact: More) {
  const result = v1.task('COMPLETED', { artifacts: [v1.artifact('answer', artifact)] });
  const seen = conversationOf(rpc({ method: 'GetTask', params: { id: 'task-1' }, result }));
  const [digest] = seen.task('agent', 'task-1')?.observations[0]?.artifacts ?? [];
  if (digest === undefined) throw new Error('no artifact');
  return digest;
}
const part = (value: Parameters<typeof rpc>[0]['params']) => kept({ parts: [value ?? null] }).parts[0];

describe('what is kept of a part', () => {
  it('is its text, where that is short', () => {
    expect(part({ text: 'hello', mediaType: 'text/plain' })).toMatchObject({
      ...{ kind: 'text', mediaType: 'text/plain', text: 'hello' },
    });
    expect(part({ text: 'x'.repeat(4096) })?.text).toHaveLength(4096);
    expect(part({ text: 'x'.repeat(4097) })?.text).toBeUndefined();
    expect(part({ data: 'hello' })).toMatchObject({ kind: 'data', text: undefined });
  });

  it('is a digest of its content', () => {
    const digest = (value: Parameters<typeof part>[0]) => part(value)?.digest;
    expect(digest({ text: 'hello' })).toMatch(/^[0-9a-f]{16}$/);
    expect(digest({ text: 'hello', mediaType: 'text/plain' })).toBe(digest({ text: 'hello' }));
    expect(digest({ text: 'hello!' })).not.toBe(digest({ text: 'hello' }));
    expect(digest({ text: '' })).not.toBe(digest({ text: 'hello' }));
    expect(digest({ data: { b: { d: 1, c: 2 }, a: [2, 1] } })).toBe(
      digest({ data: { a: [2, 1], b: { c: 2, d: 1 } } }),
    );
    expect(digest({ data: { a: [1, 2] } })).not.toBe(digest({ data: { a: [2, 1] } }));
    expect(digest({ data: { a: null } })).not.toBe(digest({ data: {} }));
  });
});

it('keeps the names of the metadata of an artifact, so many at most', () => {
  const metadata = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`name${i}`, i]));
  expect(kept({ metadata }).metadata).toEqual(Object.keys(metadata).slice(0, 16));
  for (const none of [undefined, null, 7, ['a']]) expect(kept({ metadata: none }).metadata).toEqual([]);
});
