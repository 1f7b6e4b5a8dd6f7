// node packages/a2a/src/decode.bench.ts
// How many small exchanges one core decodes per second.
import { type DescMessage, fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import type { Json } from '@plugfest/model';
import { captured, type ExchangeSketch } from './captured.fixture.ts';
import { decodeExchange } from './decode.ts';
import {
  SendMessageRequestSchema,
  SendMessageResponseSchema,
  StreamResponseSchema,
} from './grpc/generated/lf/a2a/v1/a2a_pb.ts';
import { summarise } from './summary.ts';

const task: Json = {
  id: 'task-1',
  contextId: 'context-1',
  status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:00:00.000Z' },
  artifacts: [{ artifactId: 'artifact-1', parts: [{ text: 'Three hotels near the station.' }] }],
  history: [{ messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Find a hotel' }] }],
};
const params: Json = { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Find a hotel' }] } };
const headers = {
  'User-Agent': 'client/1.0',
  Accept: '*/*',
  'Accept-Encoding': 'gzip',
  Connection: 'keep-alive',
  'A2A-Version': '1.0',
};
const call = (method: string): Json => ({ jsonrpc: '2.0', id: 1, method, params });
const result = (value: Json): Json => ({ jsonrpc: '2.0', id: 1, result: value });
const update: Json = {
  statusUpdate: { taskId: 'task-1', contextId: 'context-1', status: { state: 'TASK_STATE_WORKING' } },
};

function framed(type: DescMessage, json: Json): Buffer {
  const bytes = toBinary(type, fromJson(type, json as JsonValue));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.byteLength, 1);
  return Buffer.concat([head, bytes]);
}
const overGrpc = { ...headers, 'Content-Type': 'application/grpc' };
const grpcCall = (method: string, chunks: readonly Uint8Array[]): ExchangeSketch => ({
  headers: overGrpc,
  target: `/lf.a2a.v1.A2AService/${method}`,
  body: framed(SendMessageRequestSchema, params),
  response: { headers: overGrpc, chunks, trailers: { 'grpc-status': '0' } },
});

const sketches: Readonly<Record<string, ExchangeSketch>> = {
  'JSON-RPC send': { headers, body: call('SendMessage'), response: { body: result({ task }) } },
  'HTTP+JSON send': { headers, target: '/message:send', body: params, response: { body: { task } } },
  'stream of four events': {
    headers,
    body: call('SendStreamingMessage'),
    response: { events: [result({ task }), result(update), result(update), result(update)] },
  },
  'gRPC send': grpcCall('SendMessage', [framed(SendMessageResponseSchema, { task })]),
  'gRPC stream of four events': grpcCall(
    'SendStreamingMessage',
    [{ task }, update, update, update].map((event) => framed(StreamResponseSchema, event)),
  ),
  'malformed JSON': {
    headers,
    bodyText: '{"jsonrpc":"2.0","id":1,,',
    response: { status: 400, bodyText: 'no' },
  },
};

function rate(work: () => unknown): number {
  const runs = 100_000;
  for (let i = 0; i < runs / 5; i++) work();
  const start = performance.now();
  for (let i = 0; i < runs; i++) work();
  return Math.round((runs * 1000) / (performance.now() - start));
}

for (const [name, sketch] of Object.entries(sketches)) {
  const exchange = captured(sketch);
  const decode = rate(() => decodeExchange(exchange));
  const withSummary = rate(() => summarise(decodeExchange(exchange)));
  console.log(`${name}: ${decode} decoded/s, ${withSummary} with summary/s`);
}
