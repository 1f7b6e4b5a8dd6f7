import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameSplitter } from './frames.ts';
import { EventSplitter, GrpcSplitter } from './messages.ts';

/** What a splitter makes of a body that comes in pieces: messages, and everything in order. */
function split(splitter: EventSplitter | GrpcSplitter, body: Buffer, cuts: readonly number[]) {
  const messages: string[] = [];
  const all: Buffer[] = [];
  const emit = (bytes: Buffer, part: string): void => {
    all.push(bytes);
    if (part === 'message') messages.push(bytes.toString('latin1'));
  };
  const places = [0, ...cuts.map((cut) => cut % (body.length + 1)), body.length].sort((a, b) => a - b);
  for (const [index, at] of places.entries()) {
    const piece = body.subarray(places[index - 1] ?? 0, at);
    if (piece.length > 0) splitter.push(piece, emit);
  }
  all.push(splitter.rest());
  return { messages, body: Buffer.concat(all).toString('latin1') };
}

const lines = fc.array(
  fc.constantFrom('data: x', 'data', 'datax: y', ': ping', 'event: e', 'id: 1', '', ''),
  { maxLength: 20 },
);
const cuts = fc.array(fc.nat(500), { maxLength: 20 });

describe('messages', () => {
  it('of an event stream are the same wherever it is cut, with each kind of line end', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n'), cuts, (some, end, places) => {
        const text = some.map((line) => line + end).join('');
        const whole = split(new EventSplitter(), Buffer.from(text), []);
        const pieces = split(new EventSplitter(), Buffer.from(text), places);
        expect(pieces.body).toBe(text);
        // A CRLF that is cut in two may give its LF to the next block; what the blocks say stays the same.
        const said = (messages: readonly string[]) => messages.map((message) => message.trim());
        expect(said(pieces.messages)).toEqual(said(whole.messages));
        let hasData = false;
        let expected = 0;
        for (const line of some) {
          if (line === '') {
            if (hasData) expected += 1;
            hasData = false;
          } else hasData ||= line === 'data' || line.startsWith('data:');
        }
        expect(whole.messages).toHaveLength(expected);
      }),
    );
  });

  it('end at a lone CR, too', () => {
    expect(split(new EventSplitter(), Buffer.from('data: 1\r\rdata: 2\r\r'), [3, 8]).messages).toEqual([
      'data: 1\r\r',
      'data: 2\r\r',
    ]);
  });

  it('of gRPC are the same wherever the body is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 8 }), cuts, (some, places) => {
        const frames = some.map((bytes) => {
          const head = Buffer.alloc(5);
          head.writeUInt32BE(bytes.length, 1);
          return Buffer.concat([head, bytes]);
        });
        const body = Buffer.concat(frames);
        const pieces = split(new GrpcSplitter(), body, places);
        expect(pieces.body).toBe(body.toString('latin1'));
        expect(pieces.messages).toEqual(frames.map((frame) => frame.toString('latin1')));
      }),
    );
  });

  /** What copies all that waits for each byte that comes takes minutes of this, in which no other tap is served. */
  it.each([
    ['an event stream', () => new EventSplitter(), Buffer.from('data: ')],
    ['gRPC', () => new GrpcSplitter(), Buffer.from([0, 0, 0x10, 0, 0])],
    ['WebSocket', () => new FrameSplitter(), Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 0x10, 0, 0])],
  ])('of %s that come byte by byte cost no more than their bytes', (_name, splitter, start) => {
    const message = Buffer.concat([start, Buffer.alloc(0x10_0000, '#'), Buffer.from('\n\n')]);
    const under = splitter();
    const emitted: Buffer[] = [];
    for (let at = 0; at < message.length; at += 1)
      under.push(message.subarray(at, at + 1), (bytes) => emitted.push(bytes));
    const [first] = emitted;
    expect(first?.equals(message.subarray(0, first.length))).toBe(true);
    expect(first?.length).toBeGreaterThan(0x10_0000);
    expect((first?.length ?? 0) + under.restBytes).toBe(message.length);
  });
});
