import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { endLeftBehind, markVariable } from './left-behind.ts';
import { LineTail } from './line-tail.ts';

export interface ChildSpec {
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ChildExit {
  /** In words: `code 1`, `signal SIGKILL`, or why it could not be started. */
  readonly how: string;
  readonly lastLines: readonly string[];
  /** Processes that it had started in sessions of their own and left behind; they were ended. */
  readonly leftBehind: number;
}

/** A process with its own process group, so that what it started ends with it. */
export interface Child {
  /** Undefined where it could not be started. */
  readonly pid: number | undefined;
  readonly exited: Promise<ChildExit>;
  /** Set once it has ended. */
  exit(): ChildExit | undefined;
  /** The last lines of stderr so far. */
  lastLines(): readonly string[];
  /** SIGTERM, after 2 s SIGKILL; resolves when the process has ended. */
  stop(): Promise<void>;
}

const graceMs = 2000;
/** How long the last lines may take to be read after the end. */
const lastLinesMs = 500;
const maxLineChars = 65_536;

/**
 * `onLine` gets each line of stdout until it answers true; stdout is read for as long as the process lives, so that
 * it never blocks.
 */
export function startChild(spec: ChildSpec, onLine: (line: string) => boolean): Child {
  const { command, cwd } = spec;
  const [program = ''] = command;
  const mark = randomUUID();
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawnGroup(spec, mark);
  } catch (error) {
    // Some causes are thrown and others told later; to the caller they are one.
    return neverStarted(startFailure(error, program, cwd));
  }
  const tail = new LineTail();
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => tail.push(chunk));
  readLines(child, onLine);
  // Held open for the child's whole life: that it closes is how the agent notices that we are gone.
  child.stdin.on('error', () => {});
  // A crash of ours leaves no agent behind.
  const onOurExit = () => signalGroup(child, 'SIGKILL');
  process.on('exit', onOurExit);

  let ended: ChildExit | undefined;
  const exited = new Promise<ChildExit>((resolve) => {
    let ending = false;
    const end = async (how: string, started = true): Promise<void> => {
      if (ending) return;
      ending = true;
      process.off('exit', onOurExit);
      const leftBehind = started ? await endLeftBehind(mark) : 0;
      // Whoever else holds the other ends must not keep us running.
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
      ended = { how, lastLines: tail.lines(), leftBehind };
      resolve(ended);
    };
    child.once('error', (error) => {
      if (child.pid === undefined) void end(startFailure(error, program, cwd), false);
    });
    // `close` rather than `exit`: the last lines of stderr have been read by then.
    child.once('close', (code, signal) => void end(signal ? `signal ${signal}` : `code ${code}`));
    // A grandchild that holds the pipes open would keep `close` away.
    child.once('exit', (code, signal) => {
      signalGroup(child, 'SIGKILL');
      setTimeout(() => void end(signal ? `signal ${signal}` : `code ${code}`), lastLinesMs);
    });
  });
  return {
    pid: child.pid,
    exited,
    exit: () => ended,
    lastLines: () => tail.lines(),
    stop: async () => {
      if (ended) return;
      signalGroup(child, 'SIGTERM');
      const force = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
      await exited;
      clearTimeout(force);
    },
  };
}

function spawnGroup({ command, cwd, env }: ChildSpec, mark: string): ChildProcessWithoutNullStreams {
  const [program = '', ...args] = command;
  // A group of its own also keeps a terminal's Ctrl-C from the agents: the run ends them itself, in order.
  return spawn(program, args, {
    cwd,
    env: { ...childEnvironment(env), [markVariable]: mark },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
}

function readLines({ stdout }: ChildProcessWithoutNullStreams, onLine: (line: string) => boolean): void {
  let open = '';
  const onData = (chunk: string): void => {
    const lines = (open + chunk).split('\n');
    open = (lines.pop() ?? '').slice(0, maxLineChars);
    if (!lines.some(onLine)) return;
    stdout.off('data', onData);
    stdout.resume();
  };
  stdout.setEncoding('utf8').on('data', onData);
}

function neverStarted(how: string): Child {
  const ended: ChildExit = { how, lastLines: [], leftBehind: 0 };
  return {
    pid: undefined,
    exited: Promise.resolve(ended),
    exit: () => ended,
    lastLines: () => [],
    stop: async () => {},
  };
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: all of it has ended. EPERM: macOS says so of a group that only has zombies.
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')))
      throw error;
  }
}

/** The agents' own HTTP clients must reach the taps on the loopback directly, whatever proxy the machine uses. */
function childEnvironment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const direct = [process.env.NO_PROXY ?? process.env.no_proxy, '127.0.0.1', 'localhost']
    .filter(Boolean)
    .join(',');
  return { ...process.env, NO_PROXY: direct, no_proxy: direct, PLUGFEST_PARENT: 'stdin', ...env };
}

function startFailure(error: unknown, program: string, cwd: string | undefined): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return `no program "${program}"${cwd ? ` (or no folder ${cwd})` : ''}`;
  if (code === 'EACCES') return `"${program}" may not be executed`;
  if (code === 'ENOTDIR') return `${cwd ?? program} is no folder, or lies in none`;
  if (code === 'E2BIG') return 'its arguments and environment are too long';
  return error instanceof Error ? error.message : String(error);
}
