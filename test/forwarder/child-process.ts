import { type ChildProcess, spawn } from 'node:child_process';
import net from 'node:net';
import type { RunningForwarder } from './forwarder.ts';

const startMs = 120_000;

/** A forwarder that is a process of its own: it may die of what it is given. */
export async function startProcess(
  command: string,
  args: readonly string[],
  port: number,
): Promise<RunningForwarder> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let death: string | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
    });
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      death ??= error.message;
      resolve();
    });
    child.once('exit', (code, signal) => {
      const error = /^(?:Uncaught )?\w*Error.*$/m.exec(said)?.[0];
      death ??= error ?? `it ended with ${code ?? signal}`;
      resolve();
    });
  });
  const deadline = performance.now() + startMs;
  while (!(await listens(port))) {
    if (death !== undefined) throw new Error(`${command} ended: ${death}`);
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${command} does not listen`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    get death() {
      return death;
    },
    [Symbol.asyncDispose]: () => end(child, ended),
  };
}

async function end(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill();
  const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
  await ended;
  clearTimeout(timer);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no TCP port'));
        else resolve(address.port);
      });
    });
  });
}
