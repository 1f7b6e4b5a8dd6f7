import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { captureRows } from '../e2e/capture-rows.ts';
import { startPlugfest } from '../e2e/plugfest.ts';
import { dial, untilTrue, type Wire } from './lab/callee.ts';
import { tapped } from './lab/tapped.ts';
import { parseResponses, valuesOf } from './reference/http1.ts';

const folder = mkdtempSync(join(tmpdir(), 'plugfest-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

/** The agent of `lab/agent.ts`, on a port that another can take over. */
class Agent implements AsyncDisposable {
  readonly port: number;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
  }

  static async start(port = 0): Promise<Agent> {
    const child = fork(new URL('./lab/agent.ts', import.meta.url), [String(port)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [],
    });
    const [listening] = (await once(child, 'message')) as [number];
    return new Agent(child, listening);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}

async function openStreams(origin: string, count: number): Promise<Wire[]> {
  const streams = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const wire = await dial(origin);
      wire.write(`GET /stream/${index} HTTP/1.1\r\nHost: b\r\n\r\n`);
      return wire;
    }),
  );
  await Promise.all(streams.map((wire) => wire.until('data: 3\n\n')));
  return streams;
}

/** Keeps a request in flight on each of its connections until they end or it is stopped. */
class Load {
  readonly wires: Wire[] = [];
  stopped = false;

  async start(origin: string, lanes: number): Promise<void> {
    for (let lane = 0; lane < lanes; lane++) {
      const wire = await dial(origin);
      this.wires.push(wire);
      const next = (): void => {
        if (!this.stopped && wire.socket.writable)
          wire.write(`GET /load/${lane}/${wire.answered} HTTP/1.1\r\nHost: b\r\n\r\n`);
      };
      wire.socket.on('data', () => {
        if (!wire.received.endsWith('{}')) return;
        wire.answered += 1;
        next();
      });
      next();
    }
    await untilTrue(() => this.wires.every(({ answered }) => answered > 2), 'some load');
  }
}

const destroyAll = (wires: readonly Wire[]): void => {
  for (const { socket } of wires) socket.destroy();
};

describe('an agent that is killed under load', () => {
  it('ends what it had begun, visibly and on record, and is reached again once it is back', async () => {
    await using agent = await Agent.start();
    await using lab = await tapped(agent.origin);
    const { sink, tap } = lab;
    const streams = await openStreams(tap.origin, 30);
    const load = new Load();
    await load.start(tap.origin, 16);
    const bystander = await dial(tap.origin);
    bystander.write('GET /load HTTP/1.1\r\nHost: b\r\n\r\n');
    await bystander.until(/\{\}$/);

    await agent.kill();
    load.stopped = true;
    await untilTrue(
      () => sink.open.exchanges === 0,
      () => JSON.stringify(sink.open),
    );
    await Promise.all(streams.map((wire) => untilTrue(() => wire.ended || wire.closed, 'streams to end')));
    for (const wire of streams) {
      // A stream that ended by itself would have a last chunk.
      const read = parseResponses(wire.received, ['GET'], wire.ended);
      expect(read).toMatchObject({ messages: [], unfinished: { line: 'HTTP/1.1 200 OK' } });
      expect(read.error).toBeUndefined();
    }
    const cut = (sink.ends.get('reset') ?? 0) + (sink.ends.get('upstream-abort') ?? 0);
    expect(cut).toBeGreaterThanOrEqual(30);
    expect(sink.ends.get('client-abort')).toBeUndefined();
    // Nobody is told that it answered: those in flight were cut, and who asks now is answered by the proxy.
    const late = await dial(tap.origin);
    late.write('GET /load HTTP/1.1\r\nHost: b\r\n\r\n');
    await late.untilEnded();
    const [refusal] = parseResponses(late.received, ['GET'], true).messages;
    expect(refusal?.line).toBe('HTTP/1.1 502 Bad Gateway');
    expect(valuesOf(refusal?.fields ?? [], 'x-plugfest-error')).toEqual(['upstream-unreachable']);

    await using again = await Agent.start(agent.port);
    const next = await dial(tap.origin);
    next.write('GET /load HTTP/1.1\r\nHost: b\r\n\r\n');
    await next.until(/\{\}$/);
    expect(again.port).toBe(agent.port);
    destroyAll([...streams, ...load.wires, bystander, late, next]);
    await untilTrue(
      () => sink.open.connections === 0,
      () => JSON.stringify(sink.open),
    );
  });
});

describe('a proxy that is asked to end with open streams under load', () => {
  it('ends within its second of patience, and has every byte that it passed on', async () => {
    await using agent = await Agent.start();
    const capture = join(folder, 'sigterm.sqlite');
    await using proxy = startPlugfest([
      'proxy',
      '--edge',
      `client=agent@${agent.origin}`,
      '--capture',
      capture,
    ]);
    const [, origin = ''] = await proxy.shows(/client -> agent +(http:\S+)/);
    const streams = await openStreams(origin, 50);
    const load = new Load();
    await load.start(origin, 16);

    const signalledMs = performance.now();
    proxy.signal('SIGTERM');
    const ended = await proxy.ended;
    const tookMs = performance.now() - signalledMs;
    load.stopped = true;
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(ended.stderr).not.toMatch(/\n\s+at /);
    // 2 s on a machine of its own; here others run beside it.
    expect(tookMs).toBeLessThan(8000);
    await Promise.all([...streams, ...load.wires].map((wire) => wire.untilEnded()));

    const rows = captureRows<{ target: string; kind: string | null; body: string }>(
      capture,
      `SELECT e.target, n.kind, (SELECT CAST(group_concat(CAST(c.bytes AS TEXT), '') AS TEXT) FROM
         (SELECT bytes FROM chunks WHERE exchange = e.seq AND side = 'response' ORDER BY seq) c) AS body
       FROM exchanges e LEFT JOIN ends n ON n.exchange = e.seq`,
    );
    const byTarget = new Map(rows.map((row) => [row.target, row]));
    for (const [index, wire] of streams.entries()) {
      const row = byTarget.get(`/stream/${index}`);
      expect(row?.kind).toBe('shutdown');
      const { unfinished, error } = parseResponses(wire.received, ['GET'], false);
      expect(error).toBeUndefined();
      expect(row?.body.startsWith(unfinished?.body ?? '?')).toBe(true);
      expect(unfinished?.body?.length).toBeGreaterThan(0);
    }
    expect(rows.filter(({ kind }) => kind === null)).toEqual([]);
    for (const [lane, wire] of load.wires.entries())
      for (let i = 0; i < wire.answered; i++)
        expect(byTarget.get(`/load/${lane}/${i}`)?.kind).toBe('complete');
    expect(captureRows(capture, 'SELECT * FROM gaps')).toEqual([]);
    destroyAll([...streams, ...load.wires]);
  });
});
