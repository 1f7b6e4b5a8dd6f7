import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { type CaptureEvent, cellId, edgeId, exchangeId, runId } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { memoryCapture } from '../memory.ts';
import { eventsOf, recordEdge, type TestExchange } from '../testing/traffic.ts';
import { loadFormats } from './registry.ts';
import { selected } from './selection.ts';

const formats = await loadFormats();
const hostile =
  "a\"];\n%% <script>alert(1)</script> #35; end; p1->>p2: \u001b]0;x\u0007\u202e `x` $(id) 'quoted'";

function capture(...exchanges: readonly (TestExchange | readonly CaptureEvent[])[]) {
  const sink = memoryCapture(runId('run-1'));
  recordEdge(sink);
  for (const exchange of exchanges)
    for (const event of 'id' in exchange ? eventsOf(exchange) : exchange) sink.record(event);
  return sink.source();
}

const written = (format: string, source: ReturnType<typeof capture>, limit?: number): string =>
  [...(formats.find((each) => each.format === format)?.write?.(source, { limit }) ?? [])].join('');

/** Nothing that a terminal would obey. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

describe('a diagram', () => {
  it('shows requests, answers, events of streams and how they ended, in the order of observation', () => {
    const sse = { headers: ['Content-Type', 'text/event-stream'] };
    const slow = eventsOf({
      id: 'slow',
      request: { chunks: ['{"jsonrpc":"2.0","method":"SendStreamingMessage"}'] },
      response: { ...sse, chunks: ['data: {"state":"TASK_STATE_WORKING"}\n\n', ': ping\n\n'] },
      end: 'reset',
    });
    const quick = eventsOf({
      id: 'quick',
      request: { headers: ['content-type', 'application/grpc+proto'] },
      target: '/lf.a2a.v1.A2AService/GetTask',
      response: { chunks: ['{"error":{"code":-32001}}'] },
    });
    const text = written('mermaid', capture([...slow.slice(0, 5), ...quick, ...slow.slice(5)]));
    expect(text.split('\n')).toEqual([
      'sequenceDiagram',
      '  participant p1 as client',
      '  participant p2 as agent',
      '  p1->>p2: slow POST /a2a SendStreamingMessage',
      '  p2-->>p1: slow 200 stream',
      '  p2-->>p1: slow 38 bytes TASK_STATE_WORKING',
      '  p1->>p2: quick POST GetTask',
      '  p2-->>p1: quick 200 error -32001',
      '  p2-->>p1: slow 8 bytes',
      '  p2--xp1: slow stream #40;reset#41;',
      '',
    ]);
  });

  it('says how much it leaves out', () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ id: `x${i}` }));
    const text = written('mermaid', capture(...many), 5);
    expect(text.split('\n').filter((line) => line.includes('>>'))).toHaveLength(5);
    expect(text).toContain('not shown: 27 exchanges and 1 arrows');
  });

  it('holds no statement that a name, a target or a state brings with it', () => {
    const sink = memoryCapture(runId('run-1'));
    const edge = edgeId('e');
    sink.record({
      kind: 'edge',
      edge: { id: edge, caller: hostile, callee: `end${hostile}`, kind: 'a2a', mode: 'import' },
    });
    sink.record({
      ...{
        kind: 'request-head',
        exchange: exchangeId(hostile),
        edge,
        cell: cellId(hostile),
        method: hostile,
      },
      ...{ target: `/${hostile}`, httpVersion: '1.1', headers: [] },
    });
    const lines = written('mermaid', sink.source())
      .split('\n')
      .filter((line) => line !== '');
    expect(lines).toHaveLength(6);
    for (const line of lines.slice(1))
      expect(line).toMatch(
        /^ {2}(participant p\d as|Note over p\d,p\d:|p\d(->>|-->>|--x)p\d:) ([\p{L}\p{N} .,/:_…-]|#\d+;)+$/u,
      );
  });
});

describe('a script of curl commands', () => {
  it('sends what was sent: method, path, headers and bytes', async () => {
    const seen: { method: string; url: string; headers: readonly string[]; body: Buffer }[] = [];
    const server = createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const { method = '', url = '', rawHeaders } = request;
      seen.push({ method, url, headers: rawHeaders, body: Buffer.concat(pieces) });
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const bodies = [`@it's "quoted" $(id) \`id\`\n\\n é`, Buffer.from([0, 255, 10, 13, 39]), 'a\r\nb', ''];
    const headers = [
      ...['Host', host, 'X-Twice', '1', 'x-twice', `it's $HOME`, 'X-Empty', '', 'Content-Length', '7'],
      ...['Content-Type', 'application/json', 'Accept', '@/etc/passwd'],
    ];
    const source = capture(
      ...bodies.map((body, i) => ({
        ...{ id: `x${i}`, target: `/a/../b//c?q=[1]{2}&e='%20'` },
        request: { headers, chunks: body === '' ? [] : [body] },
      })),
    );
    const script = written('curl', source);
    expect(script).not.toMatch(controls);
    await promisify(execFile)('sh', ['-e', '-c', script]);
    server.close();
    expect(seen).toHaveLength(bodies.length);
    for (const [i, { method, url, headers: sent, body }] of seen.entries()) {
      expect([method, url]).toEqual(['POST', `/a/../b//c?q=[1]{2}&e='%20'`]);
      expect(body.equals(Buffer.from(bodies[i] ?? ''))).toBe(true);
      const pairs = sent.flatMap((name, at) => (at % 2 === 0 ? [[name, sent[at + 1]]] : []));
      for (const pair of [
        ['X-Twice', '1'],
        ['x-twice', `it's $HOME`],
        ['X-Empty', ''],
        ['Content-Type', 'application/json'],
        ['Accept', '@/etc/passwd'],
      ])
        expect(pairs).toContainEqual(pair);
    }
  });

  it('holds no command that an exchange brings with it, and asks no other protocol', () => {
    const sink = memoryCapture(runId('run-1'));
    const edge = edgeId('e');
    const names = { caller: `a\n$(touch x)\ntouch y`, callee: 'b' };
    sink.record({ kind: 'edge', edge: { id: edge, ...names, kind: 'a2a', mode: 'import' } });
    for (const [i, target] of [
      'file:///etc/passwd',
      '/x',
      `http://b/'\n;touch z #`,
      `http://b/'; touch w #`,
    ].entries())
      sink.record({
        ...{ kind: 'request-head', exchange: exchangeId(`x${i}`), edge, method: "'; touch v; '", target },
        ...{ httpVersion: '1.1', headers: [`X\nY`, 'a', 'Z', `b\r\nc`, 'Host;x', '1'] },
      });
    const script = written('curl', sink.source());
    const { status, stdout } = spawnSync('sh', [
      '-c',
      `curl() { echo called; }\ntouch() { echo touched; }\n${script}`,
    ]);
    expect(status).toBe(0);
    expect(String(stdout)).toBe('called\n');
    expect(script.match(/is no URL of HTTP/g)).toHaveLength(3);
  });
});

describe('a selection', () => {
  it('is of a cell, a task or an exchange', () => {
    const source = capture(
      { id: 'x1', request: { chunks: ['{"id":"task-7"}'] } },
      { id: 'x2', target: '/tasks/task-7' },
      { id: 'x3', response: { chunks: ['{"id":"task-8"}'] } },
    );
    const ids = (selection: Parameters<typeof selected>[1]) =>
      [...selected(source, selection).exchanges()].map(({ id }) => id);
    expect(ids({ task: 'task-7' })).toEqual(['x1', 'x2']);
    expect(ids({ exchange: 'x3' })).toEqual(['x3']);
    expect(ids({ cell: '*' })).toEqual([]);
    expect(ids({})).toEqual(['x1', 'x2', 'x3']);
  });

  it('is of the cells that a glob matches', () => {
    const inCell = (id: string, cell: string) =>
      eventsOf({ id }).map((event) =>
        event.kind === 'request-head' ? { ...event, cell: cellId(cell) } : event,
      );
    const source = capture(
      inCell('x1', 'amber>birch/JSONRPC/1.0/cancel'),
      inCell('x2', 'amber>birch/HTTP+JSON/1.0/cancel'),
      { id: 'x3' },
    );
    const ids = (cell: string) => [...selected(source, { cell }).exchanges()].map(({ id }) => id);
    expect(ids('*/{JSONRPC,GRPC}/*')).toEqual(['x1']);
    expect(ids('amber>birch/HTTP+JSON/1.0/cancel')).toEqual(['x2']);
    expect(ids('*cancel')).toEqual(['x1', 'x2']);
    expect(ids(`${'{a,b}'.repeat(5000)}*`)).toEqual([]);
  });
});

it('a HAR file has the bytes of a body that is too long as text, and says so', () => {
  // Each of these bytes is six characters in JSON, and more than half a billion are in no text.
  const body = Buffer.alloc(90 * 1024 * 1024, 1);
  const source = capture({ id: 'long', request: { chunks: ['{}'] }, response: { chunks: [body] } });
  const { log } = JSON.parse(written('har', source));
  const [entry] = log.entries;
  expect(entry.response.content).toMatchObject({ size: body.byteLength, comment: 'it is too long for HAR' });
  expect(entry.response.content).not.toHaveProperty('text');
  expect(entry._plugfest.response[0][1]).toHaveLength(Math.ceil(body.byteLength / 3) * 4);
}, 60_000);
