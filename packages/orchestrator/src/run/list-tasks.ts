import type { TaskListing } from '../bypass/unseen-tasks.ts';
import { connect } from '../client/connect.ts';
import type { HttpClient } from '../client/http.ts';
import { NetworkError } from '../client/network-error.ts';
import { DriveFailure } from '../driver/drive.ts';
import type { LivePeer } from './cell-world.ts';
import type { Taps } from './taps.ts';

const largestPage = 100;
const mostPages = 50;
const boundMs = 10_000;

/** Asks each agent that offers 1.0 for all its tasks: what nobody was seen creating came past the proxy. */
export async function listTasksOf(
  peers: Iterable<LivePeer>,
  {
    taps,
    http,
    note,
  }: { readonly taps: Taps; readonly http: HttpClient; readonly note: (text: string) => void },
): Promise<readonly TaskListing[]> {
  const listings = await Promise.all(
    [...peers].map(async (peer): Promise<readonly TaskListing[]> => {
      const { name } = peer.agent;
      const dialect = peer.dialects.find(({ version }) => version === '1.0');
      if (peer.problem !== undefined || peer.started.exit()) return [];
      if (!dialect) {
        note(`${name} offers no 1.0, so it cannot be asked for tasks that came past the proxy.`);
        return [];
      }
      try {
        return [await listAll(peer, dialect, taps, http)];
      } catch (error) {
        const aborted = error instanceof Error && error.name === 'TimeoutError';
        if (!aborted && !(error instanceof NetworkError) && !(error instanceof DriveFailure)) throw error;
        note(
          `${name} did not list its tasks: ${aborted ? `no answer within ${boundMs} ms` : error.message}.`,
        );
        return [];
      }
    }),
  );
  return listings.flat();
}

/**
 * Leaves out what agents that ran before this run already had: those tasks are nobody's bypass. A task of the first
 * look that the agent itself dates after the start of the run is not earlier; it was made while the lab started.
 */
export function withoutEarlier(
  listings: readonly TaskListing[],
  earlier: readonly TaskListing[],
  startedAtMs: number,
): readonly TaskListing[] {
  const known = new Map(
    earlier.map(({ agent, tasks }) => [
      agent,
      new Set(tasks.filter(({ updatedAtMs = 0 }) => updatedAtMs < startedAtMs).map(({ id }) => id)),
    ]),
  );
  return listings.map((listing) => ({
    ...listing,
    tasks: listing.tasks.filter(({ id }) => !known.get(listing.agent)?.has(id)),
  }));
}

async function listAll(
  peer: LivePeer,
  dialect: LivePeer['dialects'][number],
  taps: Taps,
  http: HttpClient,
): Promise<TaskListing> {
  const signal = AbortSignal.timeout(boundMs);
  const agent = peer.agent.name;
  const address = await taps.forCell(undefined).address('plugfest', peer.started);
  const client = await connect(http, address, dialect, signal);
  const tasks: TaskListing['tasks'][number][] = [];
  let pageToken = '';
  let pageSize = largestPage;
  for (let page = 0; page < mostPages; page += 1) {
    const params = { pageSize, historyLength: 10, ...(pageToken ? { pageToken } : {}) };
    const result = await client.call('ListTasks', params, signal);
    // Tasks may hold files, so that a page is longer than is read; the same from a smaller page on.
    if (!result.ok && !result.error && pageSize > 1) {
      pageSize = Math.max(1, Math.floor(pageSize / 5));
      continue;
    }
    if (!result.ok)
      throw new DriveFailure(`ListTasks was refused with ${result.error?.name ?? `HTTP ${result.status}`}`);
    for (const { id, history = [], status } of result.tasks) {
      if (id === undefined) continue;
      const updatedAtMs = Date.parse(status.timestamp ?? '');
      tasks.push({
        id,
        messageIds: history.flatMap(({ messageId }) => messageId ?? []),
        ...(Number.isNaN(updatedAtMs) ? {} : { updatedAtMs }),
      });
    }
    pageToken = result.nextPageToken ?? '';
    if (pageToken === '') return { agent, tasks, complete: true };
  }
  return { agent, tasks, complete: false };
}
