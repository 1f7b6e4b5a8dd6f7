import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countEvents, locateInBody, locateInHead, type Range } from './locate.ts';

const cut = (text: string, range: Range | undefined): string | undefined =>
  range && text.slice(range.start, range.end);

describe('locateInBody', () => {
  const body = ' {"a" : [1, {"b~/": "x\\"y"}], "a" : 2, "c":{}}';

  it.each([
    ['', body.trim()],
    ['/a', '[1, {"b~/": "x\\"y"}]'],
    ['/a/0', '1'],
    ['/a/1/b~0~1', '"x\\"y"'],
    ['/c', '{}'],
  ])('finds %j', (pointer, expected) => {
    expect(cut(body, locateInBody(body, { pointer }))).toBe(expected);
  });

  it('points at the nearest ancestor of what is missing', () => {
    expect(cut(body, locateInBody(body, { pointer: '/c/gone' }))).toBe('{}');
    expect(cut(body, locateInBody(body, { pointer: '/a/7/x' }))).toBe('[1, {"b~/": "x\\"y"}]');
  });

  it('does not match members off the path', () => {
    expect(
      cut('{"x":{"b":1},"a":{"b":2}}', locateInBody('{"x":{"b":1},"a":{"b":2}}', { pointer: '/a/b' })),
    ).toBe('2');
  });

  it.each(['', 'not json', '{"a":', '{"a" 1}', '{a:1}', '[1,,2]'])('gives up on %j', (text) => {
    expect(locateInBody(text, { pointer: '' })).toBeUndefined();
  });

  it('gives up on a nesting bomb', () => {
    expect(locateInBody('['.repeat(100_000), { pointer: '/0' })).toBeUndefined();
  });

  const sse =
    ': ping\n\ndata: {"a":1}\n\nevent: x\ndata:{"a":2}\nid: 7\n\ndata: {"a":\ndata: 3}\n\ndata: {"a":4}';

  it('counts only the events of a stream that have data', () => {
    expect(countEvents(sse)).toBe(4);
    expect(cut(sse, locateInBody(sse, { event: 0, pointer: '/a' }))).toBe('1');
    expect(cut(sse, locateInBody(sse, { event: 1, pointer: '/a' }))).toBe('2');
    expect(cut(sse, locateInBody(sse, { event: 3, pointer: '/a' }))).toBe('4');
    expect(locateInBody(sse, { event: 4 })).toBeUndefined();
  });

  it('takes the whole of an event whose data is on several lines', () => {
    expect(cut(sse, locateInBody(sse, { event: 2, pointer: '/a' }))).toBe('{"a":\ndata: 3}');
  });

  it('counts gRPC messages by line', () => {
    const messages = '{"a":1}\n{"a":2}\n';
    expect(cut(messages, locateInBody(messages, { event: 1, pointer: '/a' }))).toBe('2');
  });

  it('finds every value of any JSON document', () => {
    const step = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
    const visit = (
      value: unknown,
      pointer: string,
      check: (pointer: string, value: unknown) => void,
    ): void => {
      check(pointer, value);
      if (typeof value === 'object' && value !== null)
        for (const [key, member] of Object.entries(value)) visit(member, `${pointer}/${step(key)}`, check);
    };
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), (generated, space) => {
        const text = JSON.stringify(generated, null, space);
        visit(JSON.parse(text), '', (pointer, value) => {
          const found = cut(text, locateInBody(text, { pointer }));
          expect(JSON.parse(found ?? '"missing"')).toEqual(value);
        });
      }),
    );
  });
});

describe('locateInHead', () => {
  const head = 'POST / HTTP/1.1\nHost: a\nA2A-Version: 1.0';

  it('finds a field whatever its case', () => {
    expect(cut(head, locateInHead(head, 'a2a-version'))).toBe('A2A-Version: 1.0');
  });

  it('does not find what is missing', () => {
    expect(locateInHead(head, 'accept')).toBeUndefined();
  });
});
