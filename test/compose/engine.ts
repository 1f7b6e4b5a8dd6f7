import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { must, run } from './command.ts';

/** A Docker engine. */
export interface Engine extends AsyncDisposable {
  /** For the environment of `docker` and compose. */
  readonly env: Readonly<Record<string, string>>;
  /** For people. */
  readonly about: string;
}

const startMs = 60_000;

/**
 * The engine that is running, or one of our own, in a folder of its own, which ends with it.
 * @throws Error that says what is missing.
 */
export async function engine(): Promise<Engine> {
  const running = await versionOf({});
  if (running !== undefined) {
    return { env: {}, about: `running engine ${running}`, [Symbol.asyncDispose]: async () => {} };
  }
  if (process.getuid?.() !== 0)
    throw new Error('no Docker engine answers, and one can be started by root only: start yours');
  await installWhatIsMissing();
  return startEngine();
}

/** Debian's packages, where this is a Debian. */
async function installWhatIsMissing(): Promise<void> {
  const packages = new Map([
    ['/usr/sbin/dockerd', 'docker.io'],
    ['/usr/bin/docker-compose', 'docker-compose'],
    ['/usr/sbin/debootstrap', 'debootstrap'],
  ]);
  const missing = [...packages].filter(([file]) => !existsSync(file)).map(([, name]) => name);
  if (missing.length === 0) return;
  if (!existsSync('/usr/bin/apt-get')) throw new Error(`needs Debian's packages ${missing.join(', ')}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await must('apt-get', ['update', '-q'], { env });
  // policy-rc.d would be the proper way to keep the service from starting; here none is started in the first place.
  await must('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...missing], { env });
}

async function startEngine(): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'plugfest-engine-'));
  const socket = `unix://${join(folder, 'docker.sock')}`;
  const env = { DOCKER_HOST: socket };
  const log = join(folder, 'log');
  const child = spawn(
    '/usr/sbin/dockerd',
    [
      ...['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
      ...['--pidfile', join(folder, 'pid'), '--host', socket],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const lines = createWriteStream(log);
  child.stdout.pipe(lines, { end: false });
  child.stderr.pipe(lines, { end: false });
  const stop = async () => {
    await end(child);
    lines.end();
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  };
  const until = Date.now() + startMs;
  while (Date.now() < until && child.exitCode === null) {
    const version = await versionOf(env);
    if (version !== undefined)
      return { env, about: `engine ${version}, started for this`, [Symbol.asyncDispose]: stop };
    await sleep(500);
  }
  const said = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-10).join('\n');
  await stop();
  throw new Error(`the Docker engine did not start within ${startMs / 1000} s:\n${said}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await exited;
  clearTimeout(timer);
}

async function versionOf(env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const { code, output } = await run('docker', ['version', '--format', '{{.Server.Version}}'], {
    env,
    timeoutMs: 20_000,
  });
  return code === 0 ? output.trim() : undefined;
}
