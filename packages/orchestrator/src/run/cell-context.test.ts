import { cellId, type Interposer, type Tap, type TapSpec } from '@plugfest/model';
import { expect, onTestFinished, test } from 'vitest';
import { HttpClient } from '../client/http.ts';
import { systemClock } from '../clock.ts';
import type { Dialect } from '../driver/drive.ts';
import { Checks } from '../scenario/checks.ts';
import { seeded } from '../seeded.ts';
import { lab, realKinds } from '../testing/labs.ts';
import { startWebhookReceiver } from '../webhook/receiver.ts';
import { contextOf } from './cell-context.ts';
import type { LivePeer } from './cell-world.ts';
import { startAll } from './start-all.ts';
import { Taps } from './taps.ts';

const dialect: Dialect = { binding: 'JSONRPC', version: '1.0' };

/** Opens nothing, and keeps which cell each tap between two agents was last said to be of. */
class Switchboard implements Interposer {
  readonly cells = new Map<string, string | undefined>();

  async openTap({ caller, callee }: TapSpec): Promise<Tap> {
    const pair = `${caller}>${callee}`;
    return {
      origin: 'http://127.0.0.1:9',
      assign: ({ cell }) => this.cells.set(pair, cell),
      close: async () => {},
    };
  }

  connectedFrom = () => false;
  listeningPorts = () => new Set<number>();
}

test('in alias mode the taps that lead onward are the cell’s from the moment it asks for them, until they are released', async () => {
  const parsed = lab(`name: x
interposition: { mode: alias }
agents:
  jay: { card: "http://127.0.0.1:9010", drive: true }
  pine: { card: "http://127.0.0.1:9020", drive: true }
  gull: { card: "http://127.0.0.1:9030", drive: true }
`);
  const board = new Switchboard();
  const taps = new Taps(board, parsed.interposition);
  const http = new HttpClient();
  const webhooks = await startWebhookReceiver(board, systemClock);
  onTestFinished(async () => {
    await Promise.all([taps.close(), http.close(), webhooks.close()]);
  });
  const signal = new AbortController().signal;
  const started = await startAll(parsed.agents, {
    startMs: 1000,
    resolveKind: realKinds,
    tokens: new Map(),
    trust: undefined,
    signal,
    onProgress: () => {},
  });
  taps.meet(started);
  const peers = new Map(
    parsed.agents.map((agent, index): [string, LivePeer] => {
      const live = started[index];
      if (!live) throw new Error(`${agent.name} was not started`);
      return [
        agent.name,
        {
          ...{ agent, started: live, dialects: [dialect], streaming: true, pushNotifications: true },
          ...{ requiredExtensions: [], requiresExtension: false, offeredExtensions: [] },
          ...{ extendedCard: false, auth: false, listTasks: true, restart: false, behaviours: true },
          speaks: () => true,
          revived: () => undefined,
        },
      ];
    }),
  );
  const [client, server] = [peers.get('jay'), peers.get('pine')];
  if (!client || !server) throw new Error('jay and pine are in the lab');
  const id = cellId('jay>pine/JSONRPC/1.0/x');
  const context = await contextOf({
    cell: {
      ...{ id, client: 'jay', server: 'pine', scenario: 'x', ...dialect, dialect, dialects: [dialect] },
      ...{ beside: ['gull'], beyond: ['gull'] },
    },
    ...{ client, server, peers, taps, http, webhooks, faults: undefined, callsSeen: undefined, signal },
    onStandIn: () => {},
    clock: systemClock,
    random: seeded(1, id),
    checks: new Checks(),
  });

  const [third] = context.beyond;
  expect(await third?.url()).toBe('http://gull:9030');
  expect(board.cells).toEqual(new Map([['pine>gull', id]]));
  await context.beside[0]?.url();
  expect(board.cells.get('jay>gull')).toBe(id);

  taps.release('gull', 'pine');
  expect(board.cells.get('pine>gull')).toBeUndefined();
  expect(board.cells.get('jay>gull')).toBe(id);
});
