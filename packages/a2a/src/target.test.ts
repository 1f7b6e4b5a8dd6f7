import { describe, expect, it } from 'vitest';
import { parseTarget, percentDecode } from './target.ts';

describe('parseTarget', () => {
  it.each([
    ['/a2a', '/a2a'],
    ['/a%2Fb?x#y', '/a%2Fb'],
    ['http://agent.example/a/b?x', '/a/b'],
    ['http://agent.example', '/'],
    ['http://agent.example?x=1', '/'],
    ['/proxy/http://agent.example/a', '/proxy/http://agent.example/a'],
    ['://a/b', '://a/b'],
    ['*', '*'],
    ['agent.example:443', 'agent.example:443'],
    ['', ''],
  ])('finds the path of %s', (target, path) => {
    expect(parseTarget(target).path).toBe(path);
  });

  it('reads the query as forms write it, in wire order', () => {
    expect(parseTarget('/?b=x+y%2B&a&&=1&b=c=d&%E0=%E0#e=f').query).toEqual([
      ['b', 'x y+'],
      ['a', ''],
      ['', '1'],
      ['b', 'c=d'],
      ['%E0', '%E0'],
    ]);
    for (const target of ['/', '/?', '/#?a=b']) expect(parseTarget(target).query).toEqual([]);
  });
});

describe('percentDecode', () => {
  it('leaves text that is no valid percent-encoding as it is', () => {
    expect(['a%20b', '100%', '%zz', 'a+b'].map(percentDecode)).toEqual(['a b', '100%', '%zz', 'a+b']);
  });
});
