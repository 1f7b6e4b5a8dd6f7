import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captured, capturedBody } from './captured.fixture.ts';
import { decodeExchange } from './decode.ts';
import { failure, message, result, rpc, task } from './protocol.fixture.ts';
import { summarise } from './summary.ts';

/** Bytes that an HTTP peer may send: JSON, JSON that almost is A2A, or anything. */
const anyBody: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 50 }),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .record(
      {
        jsonrpc: fc.constantFrom('2.0', 2),
        id: fc.jsonValue(),
        method: fc.oneof(
          fc.constantFrom('SendMessage', 'tasks/get', 'tasks/sendSubscribe', 'ListTasks'),
          fc.jsonValue(),
        ),
        params: fc.oneof(fc.constant({ message }), fc.jsonValue()),
        result: fc.oneof(fc.constant({ task }), fc.constant(task), fc.jsonValue()),
        error: fc.jsonValue(),
        task: fc.jsonValue(),
        status: fc.oneof(fc.constant({ state: 'working', message: 1 }), fc.jsonValue()),
        kind: fc.constantFrom('task', 'message', 'status-update', 7),
        artifacts: fc.jsonValue(),
        history: fc.jsonValue(),
        parts: fc.jsonValue(),
        supportedInterfaces: fc.jsonValue(),
        capabilities: fc.jsonValue(),
        configuration: fc.oneof(
          fc.constant({ pushNotificationConfig: { authentication: { schemes: 3 } } }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    )
    .map((value) => Buffer.from(JSON.stringify(value))),
);

const anyExchange = fc.record({
  edge: fc.constantFrom('a2a' as const, 'webhook' as const),
  method: fc.oneof(fc.constantFrom('GET', 'POST', 'DELETE', 'HEAD'), fc.string()),
  target: fc.oneof(
    fc.constantFrom(
      '/',
      '/message:stream',
      '/v1/tasks/x:cancel',
      '/.well-known/agent.json',
      '/tasks/%zz?a=%',
      '*',
      'http://x',
    ),
    fc.webUrl({ withQueryParameters: true }),
    fc.string(),
  ),
  type: fc.oneof(
    fc.constantFrom('application/json', 'text/event-stream', 'application/grpc', ''),
    fc.string(),
  ),
  coding: fc.constantFrom(undefined, 'gzip', 'br', 'deflate, gzip', 'zstd', 'x'),
  version: fc.oneof(fc.constantFrom('1.0', '0.3', ''), fc.string()),
  body: anyBody,
  answer: anyBody,
  status: fc.integer({ min: 100, max: 599 }),
  ended: fc.boolean(),
  lostBytes: fc.nat(3),
});

describe('decodeExchange', () => {
  it('never throws, whatever the bytes, and neither does summarise', () => {
    fc.assert(
      fc.property(anyExchange, (sketch) => {
        const { type, coding, version, answer, status, ended, lostBytes } = sketch;
        const headers = {
          'Content-Type': type,
          ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
          'A2A-Version': version,
        };
        const exchange = captured({
          ...sketch,
          headers,
          response: { status, headers, body: answer, ended, lostBytes },
        });
        const decoded = decodeExchange(exchange);
        expect(decoded.captured).toBe(exchange);
        expect(summarise(decoded).kind).toBe(decoded.kind);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives the same meaning wherever the chunk borders fall', () => {
    const whole = captured({
      body: rpc('SendStreamingMessage', { message }),
      response: { events: [result({ task }), result({ message }), failure({ code: 1 })] },
    });
    const bytes = Buffer.concat(whole.response?.body.chunks.map((chunk) => chunk.bytes) ?? []);
    const meaning = (chunks: readonly Uint8Array[]): unknown => {
      const { response } = whole;
      if (response === undefined) throw new Error('the sketch has a response');
      const decoded = decodeExchange({
        ...whole,
        response: { ...response, body: capturedBody(chunks, 210) },
      });
      return JSON.parse(
        JSON.stringify({ payloads: decoded.payloads, events: decoded.response?.events }, (name, value) =>
          name.endsWith('AtNs') || name === 'atNs' ? undefined : value,
        ),
      );
    };
    const expected = meaning([bytes]);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 10 }), (borders) => {
        const at = [...borders].sort((a, b) => a - b);
        const chunks = [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
        expect(meaning(chunks)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});
