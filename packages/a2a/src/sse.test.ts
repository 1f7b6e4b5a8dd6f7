import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from './limits.ts';
import { type SseEvent, SseParser } from './sse.ts';

const utf8 = new TextEncoder();

function parse(chunks: readonly Uint8Array[]): readonly SseEvent[] {
  const events: SseEvent[] = [];
  const parser = new SseParser((event) => events.push(event));
  chunks.forEach((chunk, index) => {
    parser.push(chunk, index + 1);
  });
  parser.end();
  return events;
}

const parseText = (text: string): readonly SseEvent[] => parse([utf8.encode(text)]);

type Plain = Pick<SseEvent, 'name' | 'id' | 'data' | 'terminated'>;
const plain = ({ name, id, data, terminated }: SseEvent): Plain => ({ name, id, data, terminated });

/** The algorithm of WHATWG HTML section 9.2.6 over the whole text at once; the rest at the end counts as an event. */
function reference(bytes: Uint8Array): readonly Plain[] {
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const lines = text.split(/\r\n|\r|\n/);
  const events: Plain[] = [];
  let data: string[] = [];
  let name: string | undefined;
  let id: string | undefined;
  const dispatch = (terminated: boolean): void => {
    if (data.length > 0) events.push({ name, id, data: data.join('\n'), terminated });
    data = [];
    name = undefined;
    id = undefined;
  };
  lines.forEach((line, index) => {
    const last = index === lines.length - 1;
    if (line === '') {
      if (!last) dispatch(true);
      return;
    }
    const at = line.indexOf(':');
    if (at === 0) return;
    const field = at === -1 ? line : line.slice(0, at);
    const value = at === -1 ? '' : line.slice(at + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    if (field === 'event') name = value;
    if (field === 'id' && !value.includes('\0')) id = value;
  });
  dispatch(false);
  return events;
}

/** Text that often is an event stream, with every kind of line end and characters of one to four bytes. */
const streamText = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom('data: ', 'data:', 'event: error', 'id: 7', ': ping', 'retry: 1', 'data'),
      },
      { weight: 3, arbitrary: fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\r', '\r\n\r\n') },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
      { weight: 1, arbitrary: fc.constantFrom('\uFEFF', 'é', '日本', '😀', '\0', ':', ' ') },
    ),
    { maxLength: 40 },
  )
  .map((parts) => utf8.encode(parts.join('')));

const split = (bytes: Uint8Array, borders: readonly number[]): Uint8Array[] => {
  const at = [...new Set(borders.map((border) => border % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
};

describe('SseParser', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\n'],
    ['CR', 'data: a\r\rdata: b\r\r'],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['a mixture', 'data: a\r\n\ndata: b\n\r'],
  ])('takes lines that end in %s', (_name, text) => {
    expect(parseText(text).map(({ data, terminated }) => [data, terminated])).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });

  it('joins data lines by LF and drops one leading space only', () => {
    expect(parseText('data: {\ndata:  "a": 1\ndata:}\n\n')[0]?.data).toBe('{\n "a": 1\n}');
  });

  it('skips a byte order mark, comments and unknown fields', () => {
    expect(parseText('\uFEFF: hi\nfoo: bar\ndata: a\n\n: ping\n\n').map(plain)).toEqual([
      { name: undefined, id: undefined, data: 'a', terminated: true },
    ]);
  });

  it('dispatches an event whose data is empty, but none without data', () => {
    expect(parseText('data:\n\nevent: end\n\n').map(({ data }) => data)).toEqual(['']);
  });

  it('keeps an event that the stream does not finish, and says so', () => {
    expect(parseText('data: a\n\ndata: b\n').map(plain).at(-1)).toEqual({
      name: undefined,
      id: undefined,
      data: 'b',
      terminated: false,
    });
    expect(parseText('data: {"a"').map(plain)[0]?.data).toBe('{"a"');
  });

  it('stamps the first byte of the first field and the line end that dispatches', () => {
    const chunks = [': ping\n\n', 'da', 'ta: a\n', '\nevent: x\n', 'data: b\n\n'].map((text) =>
      utf8.encode(text),
    );
    expect(parse(chunks).map(({ firstAtNs, atNs }) => [firstAtNs, atNs])).toEqual([
      [2, 4],
      [4, 5],
    ]);
  });

  it('keeps characters whole that are split over chunks, and reports bytes that are no UTF-8', () => {
    const bytes = utf8.encode('data: 😀\n\n');
    const [event] = parse([...bytes].map((byte) => Uint8Array.of(byte)));
    expect(event).toMatchObject({ data: '😀', utf8: true });
    expect(parse([Uint8Array.of(...utf8.encode('data: '), 0xff, 0x0a, 0x0a)])[0]).toMatchObject({
      data: '\uFFFD',
      utf8: false,
    });
  });

  it('counts comments, wherever the chunks end', () => {
    const parser = new SseParser(() => undefined);
    for (const text of [': a\n', ':', '\n:b', ' c\r\n', 'data: :x\n', ':']) parser.push(utf8.encode(text), 1);
    expect(parser.comments).toBe(3);
    parser.end();
    expect(parser.comments).toBe(4);
  });

  it('takes a line feed after a carriage return for the same line end, also in the next chunk', () => {
    const datas = (...texts: readonly string[]) =>
      parse(texts.map((text) => utf8.encode(text))).map(({ data }) => data);
    expect(datas('data: a\r', '\ndata: b\r', '\n\r', '\n')).toEqual(['a\nb']);
    expect(datas('data: a\r', 'data: b\r\r')).toEqual(['a\nb']);
    expect(datas('data: a\r\r', '\ndata: b\n\n')).toEqual(['a', 'b']);
    expect(datas('data: a\n\rdata: b\r', '', '\n\n')).toEqual(['a', 'b']);
    expect(datas('data: a\r\n\ndata: b\n\r\n')).toEqual(['a', 'b']);
  });

  it('knows fields by their whole name, and takes no id with a null in it', () => {
    const text =
      'dat: a\ndatax: b\nData: c\neventual: d\nid: 1\nid: 2\0\nidentity: 3\ndata\nevent\ndata: e\n\n';
    expect(parseText(text).map(plain)).toEqual([{ name: '', id: '1', data: '\ne', terminated: true }]);
  });

  it('skips a mark at the very start only', () => {
    expect(parseText('\n\uFEFFdata: a\n\ndata: b\n\n').map(({ data }) => data)).toEqual(['b']);
    expect(parse([...utf8.encode('\uFEFFdata: a\n\n')].map((byte) => Uint8Array.of(byte)))).toHaveLength(1);
  });

  it('reads no more of an event than its limit, and all of the next one', () => {
    const chunk = Buffer.alloc(limits.bodyBytes / 16, 'x');
    const read = (before: string, chunks: number, after = '') =>
      parse([
        utf8.encode(`${before}data:`),
        ...Array.from({ length: chunks }, () => chunk),
        utf8.encode(`${after}\n\ndata: next\n\n`),
      ]).map(({ data, tooLarge }) => [data.length > chunk.length ? 'long' : data, tooLarge]);
    const field = 'data:'.length;
    expect(read('', 16)).toEqual([
      ['long', true],
      ['next', false],
    ]);
    const most = 'y'.repeat(chunk.length - field);
    expect(read('', 15, most)[0]).toEqual(['long', false]);
    expect(read('', 15, `${most}y`)[0]).toEqual(['long', true]);
    // Comments before it do not count, other fields do.
    expect(read(`: ${'c'.repeat(chunk.length)}\n`, 15)[0]).toEqual(['long', false]);
    expect(read(`id: ${'c'.repeat(chunk.length)}\n`, 15)[0]).toEqual(['long', true]);
  });

  it('takes a line that no longer fits for one still', () => {
    const chunk = Buffer.alloc(limits.bodyBytes, 'x');
    const parsed = parse(['data: a\ndata: ', chunk, '\nid: 7\n', '\n'].map((each) => Buffer.from(each)));
    expect(parsed).toMatchObject([{ data: 'a\n', tooLarge: true, terminated: true }]);
  });

  it('stops where the stream has more events than it reads', () => {
    const stream = 'data:\n\n'.repeat(limits.events);
    const run = (...texts: readonly string[]) => {
      let events = 0;
      const parser = new SseParser(() => events++);
      for (const text of texts) parser.push(utf8.encode(text), 1);
      parser.end();
      return [events, parser.overflow];
    };
    expect(run(stream)).toEqual([limits.events, false]);
    expect(run(`${stream}data:\n\n`)).toEqual([limits.events, true]);
    expect(run(`${stream}data:\n\n`, 'data:\n\n')).toEqual([limits.events, true]);
    expect(run(stream, 'data:')).toEqual([limits.events, true]);
  });

  it('agrees with the reference on any input', () => {
    fc.assert(
      fc.property(fc.oneof(streamText, fc.uint8Array({ maxLength: 60 })), (bytes) => {
        expect(parse([bytes]).map(plain)).toEqual(reference(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same events wherever the chunk borders fall', () => {
    fc.assert(
      fc.property(streamText, fc.array(fc.nat(), { maxLength: 12 }), (bytes, borders) => {
        expect(parse(split(bytes, borders)).map(plain)).toEqual(parse([bytes]).map(plain));
      }),
      { numRuns: 500 },
    );
  });

  it('gives times in order that do not lie outside the chunks', () => {
    fc.assert(
      fc.property(streamText, fc.array(fc.nat(), { maxLength: 12 }), (bytes, borders) => {
        const chunks = split(bytes, borders);
        let before = 1;
        for (const { firstAtNs, atNs } of parse(chunks)) {
          expect(firstAtNs).toBeGreaterThanOrEqual(before);
          expect(atNs).toBeGreaterThanOrEqual(firstAtNs);
          before = firstAtNs;
          expect(atNs).toBeLessThanOrEqual(chunks.length);
        }
      }),
    );
  });
});
