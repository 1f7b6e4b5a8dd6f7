// A proxy that is a program of its own: started, waited for, and watched from outside.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveBench } from './proxy-peer.ts';

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

/** A folder that is gone once the bench has ended. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plugfest-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

/** Where Linux tells it; in ticks of a hundredth of a second (proc(5)). */
const cpuUsOf = (pid: number | undefined): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return Number.NaN;
  }
};

/** Runs a proxy that will listen on `port`, as long as the bench does. */
export async function serveProgram(command: string, args: readonly string[], port: number): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  child.on('exit', () => process.exit(1));
  process.on('exit', () => child.kill('SIGKILL'));
  while (!(await listens(port))) await new Promise((resolve) => setTimeout(resolve, 100));
  serveBench(port, () => cpuUsOf(child.pid));
}
