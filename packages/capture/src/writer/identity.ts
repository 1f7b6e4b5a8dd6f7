import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Names a writing process so that another one can tell whether it still lives. Stored in `runs.writer`. */
export interface WriterIdentity {
  readonly pid: number;
  /** Start time of the process in clock ticks since boot; empty where the system does not tell. */
  readonly started: string;
  /** Changes with every boot of the machine. */
  readonly boot: string;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Not Linux, or no such process: the caller has a weaker answer.
    return '';
  }
};

/** Fields of /proc/PID/stat from the third on; the name in the second may hold spaces and parentheses. */
const statOf = (pid: number): readonly string[] => {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

const startOf = (pid: number): string => statOf(pid)[19] ?? '';

/** Killed, and nobody has asked for its exit code: it has a process id, and nothing else. */
const isZombie = (pid: number): boolean => statOf(pid)[0] === 'Z';

const bootOf = (): string => read('/proc/sys/kernel/random/boot_id').trim() || hostname();

export const ownIdentity = (): WriterIdentity => ({
  pid: process.pid,
  started: startOf(process.pid),
  boot: bootOf(),
});

/** True for the identity of this process. */
export const isOwn = (json: string): boolean => json === JSON.stringify(ownIdentity());

/** True where the process of that identity runs on this machine now. */
export function isAlive(json: string): boolean {
  let identity: Partial<WriterIdentity>;
  try {
    identity = JSON.parse(json) as Partial<WriterIdentity>;
  } catch {
    return false;
  }
  const { pid, started = '', boot } = identity;
  if (typeof pid !== 'number' || boot !== bootOf()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return !isZombie(pid) && (started === '' || started === startOf(pid));
}
