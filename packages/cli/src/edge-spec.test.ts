import { expect, test } from 'vitest';
import { parseOrigin } from './edge-spec.ts';

test('a further address of a callee is its origin', () => {
  expect(parseOrigin('hotel=http://127.0.0.1:9001/rest')).toEqual({
    callee: 'hotel',
    origin: 'http://127.0.0.1:9001',
  });
});

test.each(['hotel', 'hotel=', 'hotel=ftp://x', '=http://x', 'hotel=http://', 'a b=http://x'])(
  'no further address is %j',
  (text) => {
    expect(() => parseOrigin(text)).toThrow(expect.objectContaining({ code: 'PLUGFEST_USAGE' }));
  },
);
