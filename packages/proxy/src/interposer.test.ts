import { cellId, isPlugfestError } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { createInterposer } from './interposer.ts';
import { MemorySink } from './testing/memory-sink.ts';
import { answering, connect, RawServer } from './testing/raw.ts';
import { tapped } from './testing/tapped.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';

describe('taps', () => {
  it('name an edge once, however many cells use it', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const spec = { caller: 'alice', callee: 'bob', kind: 'a2a', upstream: server.origin } as const;
    const other = await lab.interposer.openTap({ ...spec, cell: cellId('two'), purpose: 'probe' });
    await lab.interposer.openTap({ ...spec, kind: 'webhook' });
    await lab.interposer.openTap({ ...spec, caller: 'carol' });
    expect(lab.sink.of('edge').map(({ edge }) => [edge.id, edge.caller, edge.callee, edge.kind])).toEqual([
      ['e1', 'alice', 'bob', 'a2a'],
      ['e2', 'alice', 'bob', 'webhook'],
      ['e3', 'carol', 'bob', 'a2a'],
    ]);
    await (await fetch(lab.tap.origin)).text();
    await (await fetch(other.origin)).text();
    const heads = lab.sink.of('request-head');
    expect(heads.map(({ exchange, edge, cell, purpose }) => [exchange, edge, cell, purpose])).toEqual([
      ['x1', 'e1', undefined, undefined],
      ['x2', 'e1', 'two', 'probe'],
    ]);
  });

  it('belong to the cell that they were last assigned to, also on connections that were open before', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin, { mode: 'alias', tracing: 'inject' });
    const client = await connect(lab.tap.origin);
    const ask = async (answers: number) => {
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await client.until(new RegExp(`(?:hi[\\s\\S]*){${answers}}$`));
    };
    await ask(1);
    lab.tap.assign({ cell: cellId('one'), purpose: 'probe' });
    await ask(2);
    lab.tap.assign({ cell: cellId('two') });
    await ask(3);
    lab.tap.assign({});
    await ask(4);
    client.socket.destroy();
    const heads = lab.sink.of('request-head');
    expect(heads.map(({ edge, cell, purpose }) => [edge, cell, purpose])).toEqual([
      ['e1', undefined, undefined],
      ['e1', 'one', 'probe'],
      ['e1', 'two', undefined],
      ['e1', undefined, undefined],
    ]);
    const traces = server.connections[0]?.text.match(/traceparent: 00-([0-9a-f]{32})/g) ?? [];
    expect([traces.length, new Set(traces).size, traces[0] === traces[3]]).toEqual([4, 3, true]);
  });

  it('may have one port in two networks', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const port = Number(new URL(lab.tap.origin).port);
    const spec = { caller: 'carol', callee: 'bob', kind: 'a2a', upstream: server.origin } as const;
    const other = await lab.interposer.openTap({ ...spec, listen: { host: '127.0.0.2', port } });
    expect(other.origin).toBe(`http://127.0.0.2:${port}`);
    await other.close();
    expect(lab.interposer.openTaps().map(({ origin }) => origin)).toEqual([lab.tap.origin]);
    expect(await (await fetch(lab.tap.origin)).text()).toBe('hi');
  });

  it('know their own ports', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    expect([...lab.interposer.listeningPorts()]).toEqual([Number(new URL(lab.tap.origin).port)]);
    for (let i = 0; i < 3; i++) {
      const client = await connect(lab.tap.origin);
      client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await client.untilEnded();
      client.socket.destroy();
    }
    const seen = server.connections.map((connection) => connection.socket.remotePort);
    // Also of connections that are long closed.
    expect(seen).toHaveLength(3);
    for (const port of seen) {
      expect(lab.interposer.connectedFrom(port ?? 0, server.port)).toBe(true);
      expect(lab.interposer.connectedFrom(port ?? 0, server.port + 1)).toBe(false);
    }
    const opened = lab.sink.of('connection-open').filter((event) => event.direction === 'upstream');
    expect(opened.map((event) => event.localPort).sort()).toEqual(seen.sort());
    expect(opened.every((event) => event.remotePort === server.port)).toBe(true);
  });

  it('pair each inbound connection with one upstream connection', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const clients = [await connect(lab.tap.origin), await connect(lab.tap.origin)];
    for (let round = 1; round <= 3; round++) {
      for (const client of clients) {
        client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        await client.until(new RegExp(`(?:hi[\\s\\S]*){${round}}$`));
      }
    }
    expect(server.connections).toHaveLength(2);
    for (const client of clients) client.socket.destroy();
    for (const connection of server.connections) await connection.untilEnded();
  });

  it('listen on a fixed address where one is given', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const port = Number(new URL(lab.tap.origin).port);
    const spec = {
      caller: 'a',
      callee: 'b',
      kind: 'a2a',
      upstream: server.origin,
      listen: { port },
    } as const;
    const refused: unknown = await lab.interposer.openTap(spec).catch((error: unknown) => error);
    expect(isPlugfestError(refused) && refused.code).toBe('PLUGFEST_LISTEN');
    await lab.tap.close();
    const tap = await lab.interposer.openTap(spec);
    expect(tap.origin).toBe(`http://127.0.0.1:${port}`);
  });

  it.each(['not a url', 'ftp://127.0.0.1', '127.0.0.1:80'])('refuse the upstream %s', async (upstream) => {
    const sink = new MemorySink();
    await using interposer = createInterposer({ sink, run: sink.run });
    const refused: unknown = await interposer
      .openTap({ caller: 'a', callee: 'b', kind: 'a2a', upstream })
      .catch((error: unknown) => error);
    expect(isPlugfestError(refused) && refused.code).toBe('PLUGFEST_USAGE');
  });
});
