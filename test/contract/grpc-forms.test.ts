import { encodeGrpcMessage } from '@plugfest/a2a';
import { capturedFromNdjson, grpcJsonHeader } from '@plugfest/capture/ndjson';
import type { CapturedBody, CapturedExchange, RawHeaders, Side } from '@plugfest/model';
import type { Rule } from '@plugfest/verifier';
import { dialects, type Example, translate } from '@plugfest/verifier/examples';
import { describe, expect, it } from 'vitest';
import { book, judge } from './judging.ts';

const targets = dialects.filter(({ binding }) => binding === 'GRPC');

/** The gRPC calls of an example, as it is or translated, with their messages as JSON. */
function conversations({ examples }: Rule): readonly (readonly CapturedExchange[])[] {
  const all: readonly Example[] = [...examples.good, ...examples.bad.map(({ example }) => example)];
  return all.flatMap((example) => {
    const forms = example.some((exchange) => 'grpc' in exchange)
      ? [example]
      : targets.map((target) => translate(example, target));
    return forms
      .filter((form) => form?.some((exchange) => 'grpc' in exchange))
      .map((form) => capturedFromNdjson(form ?? []));
  });
}

const without = (headers: RawHeaders): RawHeaders =>
  headers.filter((_, i) => headers[i - (i % 2)] !== grpcJsonHeader);

/** The same body as protobuf in frames; undefined where a message says what protobuf cannot. */
function framed(body: CapturedBody, path: string, side: Side): CapturedBody | undefined {
  const chunks = [];
  for (const chunk of body.chunks) {
    const bytes = encodeGrpcMessage(path, side, JSON.parse(Buffer.from(chunk.bytes).toString('utf8')));
    if (bytes === undefined) return undefined;
    chunks.push({ ...chunk, bytes });
  }
  const sizeBytes = chunks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  return { ...body, chunks, totalBytes: sizeBytes, storedBytes: sizeBytes };
}

function asBytes(exchange: CapturedExchange): CapturedExchange | undefined {
  const { request, response } = exchange;
  if (!request.headers.includes(grpcJsonHeader)) return exchange;
  const sent = framed(request.body, request.target, 'request');
  const got = response && framed(response.body, request.target, 'response');
  if (sent === undefined || (response !== undefined && got === undefined)) return undefined;
  return {
    ...exchange,
    request: { ...request, headers: without(request.headers), body: sent },
    ...(response === undefined || got === undefined
      ? {}
      : { response: { ...response, headers: without(response.headers), body: got } }),
  };
}

/** An end that an import left out may have been there; one that is not among the bytes was not (GRPC-011). */
const findingsOf = (captured: readonly CapturedExchange[]): readonly string[] =>
  judge(captured)
    .findings.filter(({ message }) => message !== 'The stream ends without a status')
    .map(({ rule, outcome, party, message, at }) =>
      [rule, outcome, party, message, JSON.stringify(at)].join(' | '),
    )
    .sort();

let compared = 0;

describe('gRPC as bytes and as the JSON of an import is judged the same', () => {
  for (const rule of book.rules) {
    if (!rule.bindings.includes('GRPC')) continue;
    const examples = conversations(rule);
    if (examples.length === 0) continue;
    it(`in the examples of ${rule.id}`, () => {
      for (const json of examples) {
        const bytes = json.map(asBytes);
        if (!bytes.every((exchange) => exchange !== undefined)) continue;
        compared += 1;
        expect(findingsOf(bytes)).toEqual(findingsOf(json));
      }
    });
  }

  it('in a thousand conversations', () => {
    expect(compared).toBeGreaterThan(1000);
  });
});
