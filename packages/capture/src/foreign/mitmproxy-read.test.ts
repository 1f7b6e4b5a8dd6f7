import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMitmproxy } from './mitmproxy-read.ts';

const flows = readFileSync(
  new URL('../../../../test/fixtures/foreign/mitmproxy-flows.mitm', import.meta.url),
);
const read = (bytes: Buffer) =>
  readMitmproxy(bytes, { file: 'flows', names: new Map([['127.0.0.1:7912', 'hotel']]) });

describe('reading flows of mitmproxy', () => {
  it('gives each exchange with its bytes and how it ended', () => {
    const exchanges = read(flows);
    expect(exchanges.map(({ method, response, end }) => [method, response?.status, end])).toEqual([
      ['GET', 200, 'complete'],
      ['POST', 200, 'complete'],
      ['POST', 200, 'complete'],
      ['POST', 200, 'complete'],
      ['POST', 200, 'complete'],
      ['POST', 200, 'complete'],
      ['GET', 200, 'complete'],
      ['POST', 200, 'client-abort'],
      ['POST', 404, 'complete'],
    ]);
    expect(exchanges.every(({ lost }) => lost.join() === 'chunk-times')).toBe(true);
    expect(exchanges.at(-1)).toMatchObject({ kind: 'webhook', from: 'webhook sender' });
    expect(exchanges[7]?.note).toBe('mitmproxy: Client disconnected.');
    const stream = exchanges[2]?.response?.body;
    expect(stream === 'lost' || stream === undefined ? '' : String(stream.chunks[0]?.bytes)).toMatch(
      /^data: /,
    );
  });

  it('says at which byte a file ends in the middle', () => {
    expect(() => read(flows.subarray(0, flows.length - 10))).toThrow(
      /^flows: flow 9, byte \d+: ends in the middle of a value$/,
    );
  });

  it('refuses what is no flow', () => {
    expect(() => read(Buffer.from('{"log":{}}'))).toThrow('flows: flow 1, byte 0: no size');
    expect(() => read(Buffer.from('2:ab,'))).toThrow('flow 1 is not a flow of mitmproxy');
    const deep = (depth: number): string => {
      let text = '0:~';
      for (let i = 0; i < depth; i += 1) text = `${text.length}:${text}]`;
      return text;
    };
    expect(() => read(Buffer.from(deep(5000)))).toThrow('is nested deeper than 64');
  });

  it('gives exchanges or a clear error for any damage', () => {
    fc.assert(
      fc.property(fc.nat(flows.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const damaged = Buffer.from(flows);
        damaged[at] = byte;
        try {
          read(damaged);
        } catch (error) {
          expect(error).toMatchObject({ code: 'PLUGFEST_IMPORT_FORMAT' });
        }
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
