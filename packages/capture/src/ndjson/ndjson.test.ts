import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CaptureSource, header, isPlugfestError, runId } from '@plugfest/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryCapture } from '../memory.ts';
import { openCaptureSource } from '../reader/open.ts';
import { bodyOf } from '../testing/traffic.ts';
import { openCapture } from '../writer/open.ts';
import { capturedFromNdjson, exportNdjson, grpcJsonHeader, importNdjson, ndjsonLines } from './index.ts';

const request = {
  method: 'POST',
  url: 'http://agent.example/a2a',
  headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
  body: { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'task-1' } },
};
const answer = {
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: { jsonrpc: '2.0', id: 1, result: {} },
};
const sse = { 'Content-Type': 'text/event-stream' };

/** Every form that a line can take, in the spelling that the exporter gives it. */
const lines: readonly object[] = [
  { from: 'client', to: 'agent', at: '2026-01-01T00:00:00.000Z', request, response: answer, note: 'first' },
  { from: 'client', to: 'agent', request: { ...request, headers: {} }, response: answer },
  {
    from: 'client',
    to: 'agent',
    request: {
      method: 'POST',
      url: 'http://agent.example/',
      headers: {},
      body_raw: '{"jsonrpc":"2.0" "id":1}',
    },
    response: { status: 400, headers: { 'Content-Type': 'text/html' }, body_raw: '<html>é</html>' },
  },
  {
    from: 'client',
    to: 'gateway',
    at: '2026-01-01T00:00:05.250Z',
    request,
    response: {
      status: 200,
      headers: sse,
      sse: [
        { data: { a: 1 } },
        { raw: ': ping\n\n' },
        { raw: 'event: message\ndata: {}\n\n' },
        { raw: 'data: {"b": 2}\r\r' },
      ],
      end: 'closed',
    },
  },
  { from: 'gateway', to: 'agent', request, response: { status: 200, headers: sse, sse: [], end: 'open' } },
  {
    from: 'gateway',
    to: 'agent',
    request,
    response: { status: 200, headers: sse, sse: [{ data: 1 }], end: 'client-abort' },
  },
  { from: 'gateway', to: 'agent', request, response: { ...answer, end: 'reset' } },
  { from: 'gateway', to: 'agent', request, response: { ...answer, end: 'timeout' } },
  { from: 'gateway', to: 'agent', request, response: { end: 'upstream-abort' } },
  { from: 'gateway', to: 'agent', request },
  {
    from: 'agent',
    to: 'webhook receiver',
    request: { ...request, headers: { 'X-A': ['1', '2'], 'x-a': '3' } },
    response: { status: 204, headers: {} },
  },
  {
    from: 'client',
    to: 'agent',
    request: { ...request, body: undefined, body_base64: '//79' },
    response: answer,
  },
  {
    from: 'client',
    to: 'agent',
    grpc: {
      method: '/lf.a2a.v1.A2AService/GetTask',
      metadata: { 'a2a-version': '1.0' },
      request: { id: 'nope' },
      status: 'NOT_FOUND',
      trailers: { 'grpc-status': '5', 'grpc-message': 'Task not found' },
    },
  },
  {
    from: 'client',
    to: 'agent',
    grpc: {
      method: '/lf.a2a.v1.A2AService/SendStreamingMessage',
      metadata: {},
      request: { message: {} },
      response: [{ task: {} }, { statusUpdate: {} }],
      status: 'OK',
    },
  },
];

const textOf = (objects: readonly object[]): string[] => objects.map((object) => JSON.stringify(object));

async function imported(objects: readonly object[]): Promise<CaptureSource> {
  const capture = memoryCapture(runId('run'));
  await importNdjson(textOf(objects), capture, { file: 'cases.ndjson' });
  await capture.close();
  return capture.source();
}

async function complaint(text: readonly string[], maxLineLength?: number): Promise<string> {
  const capture = memoryCapture(runId('run'));
  const options = { file: 'cases.ndjson', ...(maxLineLength === undefined ? {} : { maxLineLength }) };
  const error: unknown = await importNdjson(text, capture, options).catch((reason: unknown) => reason);
  if (!isPlugfestError(error)) throw new Error('nothing was thrown');
  expect(error.code).toBe('PLUGFEST_IMPORT_FORMAT');
  return error.message;
}

describe('exchange NDJSON', () => {
  it('comes back from a capture as it went in', async () => {
    const source = await imported(lines);
    expect([...exportNdjson(source)].map((line) => JSON.parse(line))).toEqual(
      JSON.parse(JSON.stringify(lines)),
    );
  });

  it('comes back the same from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capture-'));
    const file = join(folder, 'capture.sqlite');
    const sink = openCapture({ file, run: runId('run') });
    expect(await importNdjson(textOf(lines), sink, { file: 'cases.ndjson' })).toBe(lines.length);
    await sink.close();
    const source = openCaptureSource(file);
    expect([...exportNdjson(source)].map((line) => JSON.parse(line))).toEqual(
      JSON.parse(JSON.stringify(lines)),
    );
    expect(source.info.startedAt).toBe('2026-01-01T00:00:00.000Z');
    expect(source.info.root).toBe((await imported(lines)).info.root);
    source.close();
    rmSync(folder, { recursive: true });
  });

  it('lets exchanges overlap where events have times', async () => {
    const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
    const grpc = { method: '/lf.a2a.v1.A2AService/SendStreamingMessage', request: {} };
    const source = await imported([
      {
        from: 'client',
        to: 'agent',
        at: at(0),
        request: { method: 'POST', url: 'http://agent.example/a2a' },
        response: { sse: [{ data: 1, at: at(1) }, { raw: ': ping\n\n' }, { data: 2, at: at(5) }] },
      },
      { from: 'client', to: 'agent', at: at(3), request: { method: 'GET', url: 'http://agent.example/' } },
      { from: 'client', to: 'agent', grpc: { ...grpc, response: [{}, {}], response_at: [at(4), at(6)] } },
    ]);
    const seconds = [...source.exchanges()].map(({ request, response }) => [
      Math.round(request.atNs / 1e9),
      ...(response?.body.chunks ?? []).map(({ atNs }) => Math.round(atNs / 1e9)),
    ]);
    expect(seconds).toEqual([[0, 1, 1, 5], [3], [3, 4, 6]]);
    expect(
      await complaint([
        '{"from":"a","to":"b","request":{"method":"GET","url":"http://a"},"response":{"sse":[{"data":1,"at":"soon"}]}}',
      ]),
    ).toContain('response.sse[0].at must be');
  });

  it('keeps order and says that times are made up', async () => {
    const exchanges = [...(await imported(lines)).exchanges()];
    expect(exchanges.every(({ timesSynthetic }) => timesSynthetic)).toBe(true);
    const stamps = exchanges.flatMap((each) => [
      each.request.atNs,
      each.request.body.endedAtNs ?? 0,
      ...(each.response === undefined
        ? []
        : [each.response.atNs, ...each.response.body.chunks.map(({ atNs }) => atNs)]),
    ]);
    expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
    expect(new Set(stamps).size).toBe(stamps.length);
    expect(exchanges[3]?.request.atNs).toBe(5250e6);
  });

  it('makes an edge of each pair, a webhook where the receiver is one', async () => {
    const source = await imported(lines);
    expect(source.edges().map(({ caller, callee, kind, mode }) => [caller, callee, kind, mode])).toEqual([
      ['client', 'agent', 'a2a', 'import'],
      ['client', 'gateway', 'a2a', 'import'],
      ['gateway', 'agent', 'a2a', 'import'],
      ['agent', 'webhook receiver', 'webhook', 'import'],
    ]);
  });

  it('gives each server-sent event a chunk of its own', () => {
    const [exchange] = capturedFromNdjson([lines[3]]);
    expect(exchange?.response?.body.chunks.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([
      'data: {"a":1}\n\n',
      ': ping\n\n',
      'event: message\ndata: {}\n\n',
      'data: {"b": 2}\r\r',
    ]);
  });

  it('tells what was cut off from what ended', () => {
    const ends = capturedFromNdjson(lines).map(({ end, response }) => [
      end.kind,
      response?.body.endedAtNs !== undefined,
    ]);
    expect(ends.slice(3, 10)).toEqual([
      ['complete', true],
      ['open', false],
      ['client-abort', false],
      ['reset', false],
      ['timeout', false],
      ['upstream-abort', false],
      ['open', false],
    ]);
  });

  it('marks decoded gRPC, and gives it status and messages', () => {
    const [notFound, stream] = capturedFromNdjson(lines.slice(-2));
    expect(notFound?.request).toMatchObject({ method: 'POST', target: '/lf.a2a.v1.A2AService/GetTask' });
    expect(header(notFound?.request.headers ?? [], grpcJsonHeader)).toBe('1');
    expect(notFound?.response?.trailers).toEqual(['grpc-status', '5', 'grpc-message', 'Task not found']);
    expect(stream?.response?.trailers).toEqual(['grpc-status', '0']);
    expect(bodyOf(stream, 'response').toString()).toBe('{"task":{}}\n{"statusUpdate":{}}\n');
    expect(stream?.response?.body.chunks).toHaveLength(2);
  });

  it('does not take real traffic for decoded gRPC because it bears the mark', () => {
    const [exchange] = capturedFromNdjson(
      [
        {
          from: 'client',
          to: 'agent',
          request: { ...request, headers: { [grpcJsonHeader]: '1' }, body_raw: 'no json' },
        },
      ].map(({ request: { body: _, ...rest }, ...line }) => ({ ...line, request: rest })),
    );
    const source = {
      info: { startedAt: '1970-01-01T00:00:00.000Z' },
      ...{ notes: () => [], gaps: () => [], participants: () => [], edges: () => [] },
      exchanges: () => [exchange],
    };
    const [line = ''] = exportNdjson(source as unknown as CaptureSource);
    expect(JSON.parse(line)).toMatchObject({ request: { body_raw: 'no json' } });
  });

  it('names file, line and fault of a malformed line', async () => {
    const good = JSON.stringify(lines[0]);
    const line = (change: object): string => JSON.stringify({ from: 'a', to: 'b', request, ...change });
    const faults: readonly (readonly [string, string])[] = [
      ['{"from":', 'is no JSON'],
      ['[]', 'is not a JSON object'],
      [line({ from: 1 }), 'from must be a string'],
      [line({ at: 'yesterday' }), 'at must be an ISO 8601 time, not "yesterday"'],
      ['{"from":"a","to":"b"}', 'has neither request nor grpc'],
      [line({ grpc: { method: '/x' } }), 'has both request and grpc'],
      [line({ request: { url: '/' } }), 'request.method must be a string'],
      [line({ request: { ...request, headers: [] } }), 'request.headers must be an object'],
      [line({ request: { ...request, headers: { a: {} } } }), 'request.headers["a"] must be a string'],
      [line({ request: { ...request, body_raw: 'x' } }), 'request has body and body_raw'],
      [line({ response: { status: '200' } }), 'response.status must be a number from 100 to 999, not "200"'],
      [line({ response: { end: 'maybe' } }), 'response.end must be one of'],
      [line({ response: { sse: [{}] } }), 'response.sse[0] must have data or raw'],
      [line({ response: { sse: [], body: 1 } }), 'response has both sse and a body'],
      [
        '{"from":"a","to":"b","grpc":{"method":"/x","status":"ODD"}}',
        'grpc.status "ODD" is no gRPC status code',
      ],
    ];
    for (const [text, words] of faults) {
      const message = await complaint([good, '', text]);
      expect(message).toContain('cases.ndjson:3: ');
      expect(message).toContain(words);
    }
    expect(await complaint([good], 100)).toContain('cases.ndjson:1: is longer than 100');
  });

  it('says which members it did not understand', async () => {
    const source = await imported([{ ...lines[0], reponse: {} }]);
    expect(source.notes().map(({ topic, text }) => [topic, text])).toEqual([
      ['import', 'first'],
      ['import-ignored', 'cases.ndjson:1: the format has no member "reponse"'],
    ]);
  });

  it('splits bytes into lines wherever they come apart, within a bound', async () => {
    const text = textOf(lines).join('\n');
    const bytes = Buffer.from(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.byteLength), { maxLength: 20 }), async (cuts) => {
        const borders = [0, ...cuts.toSorted((a, b) => a - b), bytes.byteLength];
        const pieces = async function* (): AsyncGenerator<Uint8Array> {
          for (const [i, end] of borders.slice(1).entries()) yield bytes.subarray(borders[i], end);
        };
        const found: string[] = [];
        for await (const line of ndjsonLines(pieces(), { file: 'f' })) found.push(line);
        expect(found).toEqual(text.split('\n'));
      }),
      { numRuns: 30 },
    );
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) yield Buffer.alloc(1000, 'x');
    };
    const reading = (async () => {
      for await (const _ of ndjsonLines(endless(), { file: 'f', maxLineLength: 10_000 })) void _;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'PLUGFEST_IMPORT_FORMAT' });
  });
});
