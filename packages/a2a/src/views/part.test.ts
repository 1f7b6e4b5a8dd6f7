import type { Json } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { artifactView } from './artifact.ts';
import { partViews } from './part.ts';
import { statusView } from './status.ts';
import { artifactUpdateView, statusUpdateView } from './updates.ts';

const view = (part: Json) => partViews({ parts: [part] }, '/message')[0];

describe('a part', () => {
  it.each<[Json, string]>([
    [{ text: 'x', raw: 'AA==' }, 'text'],
    [{ raw: 'AA==', url: 'http://a' }, 'raw'],
    [{ url: 'http://a', data: 1 }, 'url'],
    [{ data: null }, 'data'],
    [{ file: { bytes: 'AA==', uri: 'http://a' } }, 'raw'],
    [{ file: { fileWithBytes: 'AA==' } }, 'raw'],
    [{ file: { uri: 'http://a' } }, 'url'],
    [{ file: { fileWithUri: 'http://a' } }, 'url'],
    [{ file: { name: 'a' } }, 'unknown'],
    [{ file: 'a' }, 'unknown'],
    [{}, 'unknown'],
  ])('%j is known by its first content', (part, kind) => {
    expect(view(part)?.kind).toBe(kind);
  });

  it('has the media type of any version', () => {
    expect(view({ text: 'x', mediaType: 'a/b', file: { mimeType: 'c/d' }, mimeType: 'e/f' })).toMatchObject({
      ...{ text: 'x', mediaType: 'a/b', pointer: '/message/parts/0' },
    });
    expect(view({ file: { mimeType: 'c/d' }, mimeType: 'e/f' })?.mediaType).toBe('c/d');
    expect(view({ mimeType: 'e/f' })?.mediaType).toBe('e/f');
    expect(view({ text: 7, mediaType: 7 })).toMatchObject({
      kind: 'text',
      text: undefined,
      mediaType: undefined,
    });
  });

  it('that is no object is unknown, and stays where it lies', () => {
    expect(partViews({ content: [{}, 'x'] }, '')[1]).toEqual({
      ...{ kind: 'unknown', text: undefined, mediaType: undefined, value: 'x', pointer: '/content/1' },
    });
    expect(partViews({ parts: 'x' }, '')).toEqual([]);
  });
});

describe('what holds parts', () => {
  it('has a name, a time, and the place that it lies at', () => {
    expect(artifactView({ artifactId: 'a', name: 'n' }, '/artifacts/0')).toMatchObject({
      ...{ artifactId: 'a', name: 'n', pointer: '/artifacts/0' },
    });
    expect(
      statusView({ timestamp: '2026-01-01T00:00:00Z', message: { messageId: 'm' } }, '/status'),
    ).toMatchObject({
      timestamp: '2026-01-01T00:00:00Z',
      message: { messageId: 'm', pointer: '/status/message' },
    });
    expect(statusUpdateView({ status: {} }, '/result', '1.0').status.pointer).toBe('/result/status');
    expect(artifactUpdateView({ artifact: {} }, '/result', '1.0').artifact?.pointer).toBe('/result/artifact');
  });
});
