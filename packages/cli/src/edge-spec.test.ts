import { expect, test } from 'vitest';
import { parseCardPath, parseEdge, parseHost, parseOrigin } from './edge-spec.ts';

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

test('an edge may say how the proxy is put into it', () => {
  const edge = { caller: 'client', callee: 'hotel', upstream: 'http://127.0.0.1:9000', kind: 'a2a' };
  expect(parseEdge('client=hotel@http://127.0.0.1:9000', 'a2a')).toEqual(edge);
  for (const mode of ['alias', 'rewrite', 'forward'])
    expect(parseEdge(`${mode}:client=hotel@http://127.0.0.1:9000`, 'a2a')).toEqual({ ...edge, mode });
});

test.each(['import:a=b@http://x', 'alias:', 'alias:a@http://x', 'a=b@ftp://x'])('no edge is %j', (text) => {
  expect(() => parseEdge(text, 'a2a')).toThrow(expect.objectContaining({ code: 'PLUGFEST_USAGE' }));
});

test('a card may have a path of its own', () => {
  expect(parseCardPath('hotel=/agents/hotel.json')).toEqual({ callee: 'hotel', path: '/agents/hotel.json' });
});

test.each(['hotel', 'hotel=', 'hotel=x.json', 'hotel=/a b'])('no path of a card is %j', (text) => {
  expect(() => parseCardPath(text)).toThrow(expect.objectContaining({ code: 'PLUGFEST_USAGE' }));
});

test.each(['plugfest', '10.0.0.1', '::1', '[::1]', 'a.b-c'])('a host is %s', (text) => {
  expect(parseHost(text)).toBe(text);
});

test.each(['', 'http://x', 'x:80', 'x/', 'a b', '-x'])('no host is %j', (text) => {
  expect(() => parseHost(text)).toThrow(expect.objectContaining({ code: 'PLUGFEST_USAGE' }));
});
