import { type DescMessage, fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import type { Json } from '@plugfest/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captured, capturedBody } from '../captured.fixture.ts';
import { decodeExchange } from '../decode.ts';
import * as v03 from '../grpc/generated/a2a/v1/a2a_pb.ts';
import * as v10 from '../grpc/generated/lf/a2a/v1/a2a_pb.ts';
import { task } from '../protocol.fixture.ts';
import { summarise } from '../summary.ts';

const methods = [v10.A2AService, v03.A2AService].flatMap((service) =>
  service.methods.map(({ name }) => `/${service.typeName}/${name}`),
);
const binary = (type: DescMessage, json: Json): Uint8Array =>
  toBinary(type, fromJson(type, json as JsonValue));
const wellFormed: readonly Uint8Array[] = [
  binary(v10.StreamResponseSchema, { task }),
  binary(v10.TaskSchema, task),
  binary(v03.AgentCardSchema, { name: 'n', skills: [{ id: 's' }] }),
];

/** Bytes of a message: anything, tags that could be, or a message with some bytes changed. */
const anyMessage: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .array(fc.constantFrom(0x0a, 0x12, 0x1a, 0x22, 0x08, 0x03, 0x00, 0x04), { maxLength: 40 })
    .map((bytes) => Uint8Array.from(bytes)),
  fc
    .tuple(fc.constantFrom(...wellFormed), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }))
    .map(([bytes, changes]) => {
      const changed = Uint8Array.from(bytes);
      for (const [at, byte] of changes) changed[at % changed.length] = byte;
      return changed;
    }),
);

const anyFrame = fc
  .tuple(anyMessage, fc.constantFrom(0, 0, 0, 1, 2, 0x80), fc.constantFrom(0, 0, 0, -1, 1, 1000))
  .map(([bytes, flags, more]) => {
    const head = Buffer.alloc(5, flags);
    head.writeUInt32BE(Math.max(0, bytes.byteLength + more), 1);
    return Buffer.concat([head, bytes]);
  });

/** The same bytes in other chunks. */
function chunked(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (let i = 0; at < bytes.byteLength; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

const anyCall = fc.record({
  target: fc.constantFrom(...methods, '/lf.a2a.v1.A2AService/Nothing'),
  type: fc.constantFrom(
    'application/grpc',
    'application/grpc+proto',
    'application/grpc+json',
    'application/grpc-web',
    'application/grpc-web-text',
  ),
  encoding: fc.constantFrom('identity', 'gzip', 'deflate', 'snappy', ''),
  request: fc.array(anyFrame, { maxLength: 2 }),
  response: fc.array(anyFrame, { maxLength: 4 }),
  trailers: fc.record(
    {
      'grpc-status': fc.constantFrom('0', '5', '16', '99', '', 'x'),
      'grpc-message': fc.string(),
      'grpc-status-details-bin': fc.oneof(fc.base64String(), fc.string()),
      'x-plugfest-grpc-details-json': fc.oneof(fc.json(), fc.string()),
    },
    { requiredKeys: [] },
  ),
  json: fc.boolean(),
  ended: fc.boolean(),
  sizes: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
});

describe('decoding gRPC', () => {
  it('never throws, whatever the bytes, and reads the same from any chunks', () => {
    fc.assert(
      fc.property(anyCall, ({ target, type, encoding, request, response, trailers, json, ended, sizes }) => {
        const headers = {
          'Content-Type': type,
          'grpc-encoding': encoding,
          ...(json ? { 'x-plugfest-grpc-json': '1' } : {}),
        };
        const body = Buffer.concat(response);
        const exchange = captured({
          imported: json,
          target,
          headers,
          body: Buffer.concat(request),
          response: { headers, chunks: [body], trailers, ended },
        });
        const decoded = decodeExchange(exchange);
        expect(summarise(decoded).kind).toBe(decoded.kind);
        expect(() => JSON.stringify(decoded.request.json)).not.toThrow();
        // The chunks are the messages of a JSON-marked body.
        if (json || exchange.response === undefined) return;
        const rechunked = decodeExchange({
          ...exchange,
          response: { ...exchange.response, body: capturedBody(chunked(body, sizes), 210, { ended }) },
        });
        const read = ({ response: answer }: typeof decoded) => ({
          json: answer?.json,
          events: answer?.events?.map((event) => event.json),
          error: answer?.error,
          complete: answer?.complete,
        });
        expect(read(rechunked)).toEqual(read(decoded));
      }),
      { numRuns: 2000 },
    );
  });

  it('reads any JSON of an import', () => {
    fc.assert(
      fc.property(fc.constantFrom(...methods), fc.json(), fc.array(fc.json()), (target, sent, got) => {
        const headers = { 'Content-Type': 'application/grpc', 'x-plugfest-grpc-json': '1' };
        const chunks = got.map((line) => Buffer.from(`${line}\n`));
        const decoded = decodeExchange(
          captured({ imported: true, target, headers, bodyText: `${sent}\n`, response: { headers, chunks } }),
        );
        expect(decoded.kind).toBe('operation');
      }),
    );
  });
});
