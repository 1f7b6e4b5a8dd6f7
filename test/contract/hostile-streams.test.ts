import { gzipSync } from 'node:zlib';
import type { CapturedExchange, Json } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { describe, expect, it } from 'vitest';
import { failedRules, judgeTraffic, sorts, withRequestBody, withResponseBody } from './captured-traffic.ts';

const book = await loadRulebook();

const sort = (name: string): CapturedExchange => {
  const exchange = sorts[name];
  if (exchange === undefined) throw new Error(`no sort ${name}`);
  return exchange;
};

/** A call of gRPC, whose bodies are to be spoilt. */
function call(service: string, method: string): CapturedExchange {
  const { request, response, ...rest } = sort('rest');
  if (response === undefined) throw new Error('the sort has a response');
  const headers = ['content-type', 'application/grpc+proto', 'grpc-encoding', 'gzip', 'a2a-version', '1.0'];
  return {
    ...rest,
    request: { ...request, target: `/${service}/${method}`, httpVersion: '2.0', headers },
    response: { ...response, httpVersion: '2.0', headers, trailers: ['grpc-status', '0'] },
  };
}

function frame(payload: Uint8Array, flag = 0, length = payload.byteLength): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, payload]);
}

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 128))];
const field = (number: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(content.byteLength)]), content]);

/** A message in a message in a message; so deep that each has a length of up to three bytes. */
function nested(number: number, levels: number): Buffer {
  const heads: Buffer[] = [];
  let length = 0;
  for (let i = 0; i < levels; i += 1) {
    const head = Buffer.from([...varint(number * 8 + 2), ...varint(length)]);
    heads.push(head);
    length += head.byteLength;
  }
  return Buffer.concat(heads.reverse());
}

const repeated = (bytes: Buffer, count: number): Buffer => Buffer.alloc(bytes.byteLength * count, bytes);

const bodies: Readonly<Record<string, () => Buffer>> = {
  'a bomb of gzip in a frame': () => frame(gzipSync(Buffer.alloc(64 * 1024 * 1024)), 1),
  'a thousand bombs of gzip': () => repeated(frame(gzipSync(Buffer.alloc(8 * 1024 * 1024)), 1), 1000),
  'a bomb of gzip in a bomb': () => frame(gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024))), 1),
  'a length of 4 GiB': () => frame(Buffer.from('short'), 0, 0xffffffff),
  'a length of 4 GiB, compressed': () => frame(gzipSync(Buffer.from('short')), 1, 0xffffffff),
  'a million empty messages': () => Buffer.alloc(5_000_000),
  'a million messages that claim to be compressed': () => repeated(frame(Buffer.alloc(0), 1), 1_000_000),
  'messages nested 10,000 deep': () => frame(nested(1, 10_000)),
  'metadata nested 10,000 deep': () => frame(field(1, field(1, field(2, nested(5, 10_000))))),
  'a million unknown fields': () => frame(repeated(Buffer.from([0xf8, 0x3e, 0x01]), 1_000_000)),
  'a million unknown groups': () => frame(repeated(Buffer.from([0xfb, 0x3e]), 1_000_000)),
  'a million empty parts': () => frame(field(1, field(5, repeated(Buffer.from([0x2a, 0x00]), 1_000_000)))),
  'lengths beyond the end': () => frame(repeated(Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]), 1000)),
  'a varint without end': () => frame(Buffer.alloc(1_000_000, 0xff)),
  'flags that nobody knows': () => repeated(frame(Buffer.from([0x0a, 0x00]), 0x7e), 10_000),
};

describe('no gRPC brings the verifier down:', () => {
  const calls = [
    call('lf.a2a.v1.A2AService', 'SendStreamingMessage'),
    call('lf.a2a.v1.A2AService', 'GetTask'),
    call('a2a.v1.A2AService', 'SendMessage'),
    call('lf.a2a.v1.A2AService', 'NoSuchMethod'),
  ];
  for (const [what, body] of Object.entries(bodies))
    it(`${what}`, () => {
      const bytes = body();
      for (const each of calls) {
        const judged = judgeTraffic(book, [withResponseBody(each, bytes), withRequestBody(each, bytes)]);
        expect(failedRules(judged)).toEqual([]);
      }
    }, 20_000);
});

const event = (data: Json): string => `data: ${JSON.stringify(data)}\n\n`;
const working = { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } };

const streams: Readonly<Record<string, () => string>> = {
  'a million empty lines': () => '\n'.repeat(1_000_000),
  'a million comments': () => ': ping\n\n'.repeat(1_000_000),
  'a million events of nothing': () => 'data\n\n'.repeat(1_000_000),
  'a million data lines': () => 'data: x\n'.repeat(1_000_000),
  'half a million returns': () => '\r'.repeat(500_000),
  'a million ids': () => 'id: x\n'.repeat(1_000_000),
  'a hundred thousand events of a task': () =>
    event({ jsonrpc: '2.0', id: 1, result: working }).repeat(100_000),
  'a task in forty thousand contexts': () =>
    Array.from({ length: 40_000 }, (_, i) =>
      event({
        jsonrpc: '2.0',
        id: 1,
        result: { statusUpdate: { ...working.statusUpdate, contextId: `c${i}` } },
      }),
    ).join(''),
  'a field of 10 MB without end': () => 'x'.repeat(10_000_000),
};

describe('no stream brings the verifier down:', () => {
  for (const [what, text] of Object.entries(streams))
    it(what, () => {
      const judged = judgeTraffic(book, [withResponseBody(sort('stream'), Buffer.from(text()))]);
      expect(failedRules(judged)).toEqual([]);
    }, 20_000);
});
