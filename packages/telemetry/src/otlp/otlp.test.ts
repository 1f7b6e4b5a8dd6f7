import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { traceIdOf } from '@plugfest/model';
import { afterEach, describe, expect, it } from 'vitest';
import { projectSpans } from '../project-spans.ts';
import type { Span } from '../span.ts';
import { cell, run, Traffic } from '../testing/traffic.ts';
import { otlpEndpoint, otlpHeaders, otlpTimeoutMs, printableEndpoint } from './endpoint.ts';
import { exportOtlp } from './export.ts';
import { otlpJsonLines } from './json-lines.ts';
import { wallTime } from './readable-span.ts';

const anchorMs = Date.parse('2026-01-01T00:00:00.123Z');

function spansOf(hops: number): readonly Span[] {
  const traffic = new Traffic();
  traffic.stream('harness', 'travel', {
    from: 0,
    to: 1000,
    cell,
    events: [{ atNs: 1_500_000, kind: 'task', state: 'TASK_STATE_WORKING' }],
  });
  for (let n = 1; n < hops; n++) traffic.call('travel', 'hotel', { from: n, cell });
  traffic.call('harness', 'travel', { from: 2000, status: 500 });
  return projectSpans({ run, anchorMs, summaries: traffic.summaries, links: traffic.links() });
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number };
  readonly events: readonly { readonly name: string; readonly timeUnixNano: string }[];
}
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly unknown[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}
const parse = (line: string): OtlpRequest => JSON.parse(line) as OtlpRequest;
const spansIn = (request: OtlpRequest): readonly OtlpSpan[] =>
  request.resourceSpans.flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans));

describe('OTLP JSON Lines', () => {
  it('are one export request per trace, with times of the wall clock to the nanosecond', async () => {
    const lines = (await otlpJsonLines(spansOf(3), { 'service.version': '0.1.0' })).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(2);
    const [first, second] = lines.map(parse);
    expect(first?.resourceSpans[0]?.resource.attributes).toEqual([
      { key: 'service.name', value: { stringValue: 'plugfest' } },
      { key: 'service.version', value: { stringValue: '0.1.0' } },
    ]);
    const spans = first === undefined ? [] : spansIn(first);
    expect(spans.map(({ kind }) => kind)).toEqual([1, 2, 3, 2, 3, 2, 3]);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(run, cell)]));
    expect(spans[0]).not.toHaveProperty('parentSpanId');
    expect(spans[2]).toMatchObject({
      name: 'SendStreamingMessage',
      parentSpanId: spans[1]?.spanId,
      startTimeUnixNano: '1767225600123000000',
      endTimeUnixNano: '1767225601123000000',
      events: [{ name: 'sse.event', timeUnixNano: '1767225600124500000' }],
      status: { code: 0 },
    });
    expect(second === undefined ? [] : spansIn(second).map(({ status }) => status.code)).toEqual([0, 2, 2]);
  });

  it('are the same bytes for the same log', async () => {
    const [one, another] = [await otlpJsonLines(spansOf(20)), await otlpJsonLines(spansOf(20))];
    expect(one).toBe(another);
    expect(one.length).toBeGreaterThan(10_000);
  });

  it('split a long trace over several lines and lose nothing', async () => {
    const spans = spansOf(600);
    const lines = (await otlpJsonLines(spans)).trimEnd().split('\n').map(parse);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.flatMap(spansIn).map(({ spanId }) => spanId)).toEqual(spans.map(({ spanId }) => spanId));
  });

  it('of no spans are an empty text', async () => {
    expect(await otlpJsonLines([])).toBe('');
  });

  it('keep times exact before and after the turn of a second', () => {
    expect(wallTime(1_767_225_600_999, 1_000_001)).toEqual([1_767_225_601, 1]);
    expect(wallTime(1_767_225_600_999.5, 0)).toEqual([1_767_225_600, 999_500_000]);
    expect(wallTime(1_767_225_600_000, -1)).toEqual([1_767_225_599, 999_999_999]);
  });
});

describe('the OTLP endpoint', () => {
  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, undefined, 'http://c:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/base/' }, undefined, 'http://c:4318/base/v1/traces'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t:1/in' },
      undefined,
      'http://t:1/in',
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, 'https://given', 'https://given/v1/traces'],
    [{}, 'http://given/otlp/v1/traces', 'http://given/otlp/v1/traces'],
  ])('of %j and %s is %s', (env, given, expected) => {
    expect(otlpEndpoint(env, given)?.href).toBe(expected);
  });

  it('is none where nothing is set, and an error where it is no URL', () => {
    expect(otlpEndpoint({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toBeUndefined();
    expect(() => otlpEndpoint({}, 'collector:4318')).toThrow(
      expect.objectContaining({ code: 'PLUGFEST_TELEMETRY_EXPORT' }),
    );
  });

  it('prints without anything that may be a credential', () => {
    const url = otlpEndpoint({}, 'https://user:pass@c.example/v1/traces?key=secret#x');
    expect(url && printableEndpoint(url)).toBe('https://c.example/v1/traces');
  });

  it('comes with headers, those for traces first, and with a bounded time', () => {
    const env = {
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, x-tenant = one',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=two',
    };
    expect(otlpHeaders(env)).toEqual({ 'api-key': 'a b', 'x-tenant': 'two' });
    expect(otlpTimeoutMs({})).toBe(10_000);
    expect(otlpTimeoutMs({ OTEL_EXPORTER_OTLP_TIMEOUT: '250' })).toBe(250);
    expect(otlpTimeoutMs({ OTEL_EXPORTER_OTLP_TIMEOUT: '9999999' })).toBe(60_000);
    expect(otlpTimeoutMs({ OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' })).toBe(10_000);
  });
});

describe('export over HTTP', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  interface Received {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: OtlpRequest;
  }

  async function collector(answer: { readonly status: number; readonly body?: string } | 'silence') {
    const received: Received[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = parse(Buffer.concat(chunks).toString());
        received.push({ path: request.url ?? '', headers: request.headers, body });
        if (answer === 'silence') return;
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(answer.body ?? '{}');
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { received, base: `http://127.0.0.1:${String(port)}` };
  }

  it('reaches a collector with every span once, and with the headers set', async () => {
    const { received, base } = await collector({ status: 200 });
    const spans = spansOf(600);
    const report = await exportOtlp(spans, {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=abc' },
      resource: { 'service.version': '0.1.0' },
    });
    expect(report).toEqual({
      endpoint: `${base}/v1/traces`,
      spans: spans.length,
      batches: received.length,
      warnings: [],
    });
    expect(received.length).toBeGreaterThan(2);
    expect(received[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-type': 'application/json', 'x-api-key': 'abc' },
    });
    const ids = received.flatMap(({ body }) => spansIn(body)).map(({ spanId }) => spanId);
    expect(ids).toEqual(spans.map(({ spanId }) => spanId));
  });

  it('reports what a collector took only in part', async () => {
    const { base } = await collector({
      status: 200,
      body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}',
    });
    const { warnings } = await exportOtlp(spansOf(1), { env: {}, endpoint: base });
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain('too old');
  });

  it('fails with the endpoint and a hint where a collector refuses, without a credential in the text', async () => {
    const { received, base } = await collector({ status: 401, body: 'no' });
    const endpoint = `${base.replace('//', '//user:pass@')}/v1/traces?key=secret`;
    const failure = await exportOtlp(spansOf(600), { env: {}, endpoint }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'PLUGFEST_TELEMETRY_EXPORT',
      message: `Traces could not be sent to ${base}/v1/traces: Unauthorized (401); 0 of 1204 spans were accepted.`,
      hint: expect.stringContaining('4318'),
    });
    expect(received).toHaveLength(1);
  });

  it('fails in time where nobody listens', async () => {
    const { base } = await collector({ status: 200 });
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    await expect(exportOtlp(spansOf(1), { env: {}, endpoint: base, timeoutMs: 300 })).rejects.toMatchObject({
      code: 'PLUGFEST_TELEMETRY_EXPORT',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('fails in time where a collector never answers', async () => {
    const { base } = await collector('silence');
    await expect(exportOtlp(spansOf(1), { env: {}, endpoint: base, timeoutMs: 200 })).rejects.toMatchObject({
      code: 'PLUGFEST_TELEMETRY_EXPORT',
    });
  });

  it('stops when it is told to', async () => {
    const { base } = await collector('silence');
    const signal = AbortSignal.timeout(50);
    await expect(exportOtlp(spansOf(1), { env: {}, endpoint: base, signal })).rejects.toMatchObject({
      code: 'PLUGFEST_TELEMETRY_EXPORT',
    });
  });

  it('needs to be told where to: nothing is sent anywhere by default', async () => {
    await expect(exportOtlp(spansOf(1), { env: {} })).rejects.toMatchObject({
      code: 'PLUGFEST_TELEMETRY_EXPORT',
    });
  });
});
