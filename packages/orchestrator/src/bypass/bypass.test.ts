import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type ExchangeSummary, exchangeId } from '@plugfest/model';
import { describe, expect, test } from 'vitest';
import { withoutEarlier } from '../run/list-tasks.ts';
import { passThrough } from '../testing/pass-through.ts';
import { parseProcNet } from './proc-net.ts';
import { watchSockets } from './socket-watch.ts';
import { serverPorts, straysIn } from './stray.ts';
import { unseenTasks } from './unseen-tasks.ts';

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 100 1 0 100 0 0 10 0
   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 200 1 0 20 4 30 10 -1
   2: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 300 1 0 20 4 30 10 -1
   3: 0100007F:1F90 0100007F:C351 06 00000000:00000000 03:000017AF 00000000     0        0 0 3 0
   4: 0200000A:1F90 08080808:01BB 01 00000000:00000000 00:00000000 00000000     0        0 400 1 0 20 4 30 10 -1
   5: 0000000000000000FFFF00000100007F:C352 0000000000000000FFFF00000100007F:1F90 01 00000000:00000000 00:00000000 00000000 0 0 500 1 0 20 4 30 10 -1
`;
const agents = [{ name: 'birch', port: 8080 }];

describe('the table of sockets', () => {
  test('is read', () => {
    expect(parseProcNet(table)[1]).toEqual({
      localAddress: '127.0.0.1',
      localPort: 50000,
      remoteAddress: '127.0.0.1',
      remotePort: 8080,
      state: 1,
      inode: '200',
    });
    expect(parseProcNet('')).toEqual([]);
  });

  test('shows who called an agent past the proxy, also when it is over', () => {
    const strays = straysIn(parseProcNet(table), agents, (port) => port === 50002);
    expect(strays).toEqual([
      { agent: 'birch', agentPort: 8080, callerPort: 50000, callerInode: '200' },
      { agent: 'birch', agentPort: 8080, callerPort: 50001 },
    ]);
    expect(straysIn(parseProcNet(table), agents, (_port, agentPort) => agentPort === 8080)).toEqual([]);
    expect(straysIn(parseProcNet(table), agents, (_port, agentPort) => agentPort === 8081)).toHaveLength(3);
  });
});

describe("the number of an agent's port, given to a client of another server,", () => {
  const between = (localPort: number, remotePort: number, state = 6) => ({
    localAddress: '127.0.0.1',
    remoteAddress: '127.0.0.1',
    ...{ localPort, remotePort, state, inode: '0' },
  });
  const strays = (...sockets: ReturnType<typeof between>[]) =>
    straysIn(sockets, agents, () => false, serverPorts(sockets)).map(({ callerPort }) => callerPort);

  test('makes no stray where that server listens', () => {
    expect(strays(between(8080, 39169))).toEqual([39169]);
    expect(strays(between(8080, 39169), between(39169, 0, 0x0a))).toEqual([]);
    expect(strays(between(8080, 39169), between(39170, 0, 0x0a))).toEqual([39169]);
  });

  test('nor where it listens no more, and had other clients', () => {
    const [first, second] = [between(39169, 50001), between(50002, 39169)];
    expect(strays(between(8080, 39169), first, between(50001, 39169))).toEqual([39169]);
    expect(strays(between(8080, 39169), first, second)).toEqual([]);
  });

  test('and calls of a client that has many connections to the agent are strays all the same', () => {
    const ports = [50001, 50002, 50003, 50004];
    expect(strays(...ports.map((port) => between(port, 8080)))).toEqual(ports);
  });
});

describe('watching sockets', () => {
  test.runIf(process.platform === 'linux')(
    'tells a connection past the proxy from one through it',
    async () => {
      const server = http.createServer((_request, response) => response.end('hello'));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const proxy = passThrough();
      const watched = [{ name: 'birch', port, pid: process.pid }];
      const watch = await watchSockets({ interposer: proxy, agents: watched });
      const upstream = `http://127.0.0.1:${port}`;
      const tap = await proxy.openTap({ caller: 'amber', callee: 'birch', kind: 'a2a', upstream });
      await (await fetch(tap.origin)).text();
      await watch.sample();
      expect(watch.observations()).toEqual([]);
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      await watch.stop();
      expect(watch.observations()).toEqual([
        {
          agent: 'birch',
          method: 'socket',
          detail: `birch connected from port ${socket.localPort} to port ${port} of birch without passing the proxy.`,
        },
      ]);
      socket.destroy();
      await tap.close();
      server.close();
    },
  );

  test.runIf(process.platform === 'linux')(
    'waits for the proxy to be told of a connection that the kernel knows already',
    async () => {
      const server = http.createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      let asked = 0;
      let told = false;
      const interposer = {
        ...passThrough(),
        connectedFrom: () => {
          asked += 1;
          setTimeout(() => {
            told = true;
          }, 20);
          return told;
        },
      };
      const watch = await watchSockets({ interposer, agents: [{ name: 'birch', port }] });
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      await watch.stop();
      expect(asked).toBeGreaterThan(1);
      expect(watch.observations()).toEqual([]);
      socket.destroy();
      server.close();
    },
  );

  test('says where it is not done', async () => {
    const interposer = passThrough();
    const mac = await watchSockets({ interposer, agents, platform: 'darwin' });
    expect(mac.notWatched).toContain('on Linux only');
    const remote = await watchSockets({ interposer, agents: [], platform: 'linux' });
    expect(remote.notWatched).toContain('No agent runs on this machine');
  });
});

test('a task that no exchange created came past the proxy', () => {
  const summary = {
    id: exchangeId('x'),
    caller: 'amber',
    callee: 'birch',
    taskIds: ['t1'],
    messageIds: ['m2'],
  } as Partial<ExchangeSummary> as ExchangeSummary;
  const tasks = [
    { id: 't1', messageIds: [] },
    { id: 't2', messageIds: ['m2'] },
    { id: 't3', messageIds: ['m3'] },
  ];
  const listing = { ...summary, operation: 'ListTasks' as const, taskIds: ['t1', 't2', 't3'] };
  const found = unseenTasks([summary, listing], [{ agent: 'birch', tasks, complete: true }]);
  expect(found).toEqual([
    { agent: 'birch', method: 'task', detail: 'birch has a task t3 that no recorded exchange created.' },
  ]);
  expect(unseenTasks([summary], [{ agent: 'cedar', tasks, complete: true }])).toHaveLength(3);
});

test('tasks that an agent had before the run came past nobody', () => {
  const listing = (...ids: string[]) => ({
    agent: 'hotel',
    tasks: ids.map((id) => ({ id, messageIds: [] })),
    complete: true,
  });
  const after = withoutEarlier([listing('old', 'new')], [listing('old')], 1000);
  expect(unseenTasks([], after)).toMatchObject([{ agent: 'hotel', method: 'task' }]);
  expect(after[0]?.tasks.map(({ id }) => id)).toEqual(['new']);
  const made = { ...listing(), tasks: [{ id: 'made', messageIds: [], updatedAtMs: 1001 }] };
  expect(withoutEarlier([made], [made], 1000)).toEqual([made]);
});
