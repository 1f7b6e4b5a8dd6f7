// mitmproxy recording to a file: `mitmdump -w` in reverse mode.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mitmdump } from '../../../tools/reference-tools.ts';
import { serveBench } from './proxy-peer.ts';

const upstreamPort = Number(process.argv[2]);

const port = await new Promise<number>((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const free = (probe.address() as AddressInfo).port;
    probe.close(() => resolve(free));
  });
});
const folder = mkdtempSync(join(tmpdir(), 'plugfest-bench-'));
const { command, args } = await mitmdump();
const options = ['-q', '--mode', `reverse:http://127.0.0.1:${upstreamPort}`, '-w', join(folder, 'flows')];
const child = spawn(command, [...args, ...options, '--listen-host', '127.0.0.1', '-p', String(port)], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
child.on('exit', () => process.exit(1));
process.on('exit', () => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const listens = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
while (!(await listens())) await new Promise((resolve) => setTimeout(resolve, 100));

/** Where Linux tells it; in ticks of a hundredth of a second (proc(5)). */
const cpuUs = (): number => {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return Number.NaN;
  }
};
serveBench(port, cpuUs);
