import { type ChildProcess, spawn } from 'node:child_process';
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
}

/** A process with its own process group, so that what it started ends with it. */
export interface Child {
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
const maxLineChars = 65_536;

/** `onLine` gets each line of stdout, which is read for as long as the process lives, so that it never blocks. */
export function startChild({ command, cwd, env }: ChildSpec, onLine: (line: string) => void): Child {
  const [program = '', ...args] = command;
  // A group of its own also keeps a terminal's Ctrl-C from the agents: the run ends them itself, in order.
  const child = spawn(program, args, {
    cwd,
    env: childEnvironment(env),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const tail = new LineTail();
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => tail.push(chunk));
  let open = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (open + chunk).split('\n');
    open = (lines.pop() ?? '').slice(0, maxLineChars);
    for (const line of lines) onLine(line);
  });
  // Held open for the child's whole life: that it closes is how the agent notices that we are gone.
  child.stdin.on('error', () => {});
  // A crash of ours leaves no agent behind.
  const onOurExit = () => signalGroup(child, 'SIGKILL');
  process.on('exit', onOurExit);

  let ended: ChildExit | undefined;
  const exited = new Promise<ChildExit>((resolve) => {
    const end = (how: string) => {
      process.off('exit', onOurExit);
      ended = { how, lastLines: tail.lines() };
      resolve(ended);
    };
    child.once('error', (error) => {
      if (child.pid === undefined) end(startFailure(error, program, cwd));
    });
    // `close` rather than `exit`: the last lines of stderr have been read by then.
    child.once('close', (code, signal) => end(signal ? `signal ${signal}` : `code ${code}`));
    // A grandchild that holds the pipes open would keep `close` away.
    child.once('exit', (code, signal) => {
      signalGroup(child, 'SIGKILL');
      setTimeout(() => end(signal ? `signal ${signal}` : `code ${code}`), 500).unref();
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

function startFailure(error: Error, program: string, cwd: string | undefined): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return `no program "${program}"${cwd ? ` (or no folder ${cwd})` : ''}`;
  if (code === 'EACCES') return `"${program}" may not be executed`;
  return error.message;
}
