import { readdir, readFile } from 'node:fs/promises';

/** Names the agent that a process descends from, in its environment, which children inherit. */
export const markVariable = 'PLUGFEST_RUN';

const rounds = 5;

/**
 * Ends the processes that an agent left behind outside its process group, and tells how many there were. They are
 * known by the mark in their environment; on Linux only, elsewhere it finds none.
 */
export async function endLeftBehind(mark: string): Promise<number> {
  const ended = new Set<number>();
  // One that is just being started may be missed by a single look.
  for (let round = 0; round < rounds; round += 1) {
    const found = await processesWith(`${markVariable}=${mark}`);
    if (found.length === 0) break;
    for (const pid of found) {
      ended.add(pid);
      endOne(pid);
    }
  }
  return ended.size;
}

async function processesWith(entry: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return [];
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 1 && pid !== process.pid);
  const looks = await Promise.all(
    pids.map(async (pid) => {
      // Unreadable: gone meanwhile, or another user's. Empty: ended, but not yet waited for.
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return environment.split('\0').includes(entry) ? pid : undefined;
    }),
  );
  return looks.filter((pid) => pid !== undefined);
}

function endOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: it has ended meanwhile. EPERM: it is not ours to end.
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')))
      throw error;
  }
}
