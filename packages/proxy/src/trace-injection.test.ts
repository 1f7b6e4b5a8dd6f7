import { cellId, spanIdOf, traceIdOf } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { answering, connect, RawServer } from './testing/raw.ts';
import { tapped } from './testing/tapped.ts';
import { injectTraceContext } from './trace-injection.ts';

const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), exchange: 'x1' };
const ours = `00-${context.traceId}-${context.spanId}-01`;
const theirs = '0af7651916cd43dd8448eb211c80319c';

describe('injectTraceContext', () => {
  it.each([
    ['starts a trace where there is none', [], ['traceparent', ours, 'tracestate', 'plugfest=x1']],
    [
      'continues a trace with its id and flags',
      ['Traceparent', `00-${theirs}-b7ad6b7169203331-00`, 'TraceState', 'a=1, plugfest=x0,b=2'],
      ['Traceparent', `00-${theirs}-${context.spanId}-00`, 'TraceState', 'plugfest=x1,a=1,b=2'],
    ],
    [
      'replaces one that is not valid, and the state that belonged to it',
      ['traceparent', `00-${'0'.repeat(32)}-b7ad6b7169203331-00`, 'tracestate', 'a=1'],
      ['traceparent', ours, 'tracestate', 'plugfest=x1'],
    ],
    [
      'reads later versions as far as they are known',
      ['traceparent', `cc-${theirs}-b7ad6b7169203331-01-more`],
      ['traceparent', `00-${theirs}-${context.spanId}-01`, 'tracestate', 'plugfest=x1'],
    ],
  ])('%s', (_name, received, expected) => {
    const headers = ['Host', 'x', ...received];
    const changes = injectTraceContext(headers, context);
    expect(headers).toEqual(['Host', 'x', ...expected]);
    expect(changes.map((change) => change.after)).toEqual([expected[1], expected[3]]);
  });

  it('keeps at most 32 members', () => {
    const headers = [
      'traceparent',
      `00-${theirs}-b7ad6b7169203331-01`,
      'tracestate',
      Array.from({ length: 32 }, (_, i) => `k${i}=1`).join(','),
    ];
    injectTraceContext(headers, context);
    expect(headers[3]?.split(',')).toHaveLength(32);
    expect(headers[3]).toMatch(/^plugfest=x1,k0=1,/);
  });
});

describe('tracing', () => {
  const request = `GET / HTTP/1.1\r\nHost: x\r\ntraceparent: 00-${theirs}-b7ad6b7169203331-01\r\n\r\n`;
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';

  it('only observes unless it is told otherwise', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(request);
    await client.until(/hi$/);
    expect((await server.connection()).text).toBe(
      request.replace('Host: x', `Host: 127.0.0.1:${server.port}`),
    );
    client.socket.destroy();
  });

  it('injects ids that follow from run, cell and exchange', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin, { tracing: 'inject' }, { cell: cellId('cell-1') });
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until(/hi$/);
    const { run } = lab.sink;
    const head = lab.sink.of('request-head')[0];
    if (head === undefined) throw new Error('no request');
    const traceparent = `00-${traceIdOf(run, cellId('cell-1'))}-${spanIdOf(run, head.exchange, 'client')}-01`;
    expect((await server.connection()).text).toContain(
      `\r\ntraceparent: ${traceparent}\r\ntracestate: plugfest=x1\r\n\r\n`,
    );
    expect(lab.sink.changes().filter((change) => change.reason === 'traceparent')).toHaveLength(2);
    client.socket.destroy();
  });
});
