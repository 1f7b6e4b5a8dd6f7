import { describe, expect, it } from 'vitest';
import { pointerToken } from './pointer.ts';

describe('pointerToken', () => {
  it('escapes tildes and slashes, each once', () => {
    expect(['a', '', 'a/b', 'a~b', '~1', '/~/', 'a~0/~'].map(pointerToken)).toEqual([
      'a',
      '',
      'a~1b',
      'a~0b',
      '~01',
      '~1~0~1',
      'a~00~1~0',
    ]);
  });
});
