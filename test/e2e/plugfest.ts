import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export const repositoryRoot = join(import.meta.dirname, '..', '..');
const entry = join(repositoryRoot, 'packages', 'cli', 'bin', 'plugfest.mjs');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Longer than anything here takes; what hangs is ended and fails by its exit code. */
const limitMs = 60_000;

/** A `plugfest` that runs. Disposing of it ends it. */
export class RunningPlugfest implements AsyncDisposable {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  #stdout = '';
  #stderr = '';
  readonly #watchers = new Set<() => void>();

  constructor(args: readonly string[], { cwd = repositoryRoot, env = {} }: Surroundings) {
    this.#child = spawn(process.execPath, [entry, ...args], {
      cwd,
      env: { ...neutralEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      this.#wake();
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#wake();
    });
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), limitMs);
    const { promise, resolve, reject } = Promise.withResolvers<Ended>();
    this.ended = promise;
    this.#child.once('error', reject);
    this.#child.once('close', (code, signal) => {
      clearTimeout(limit);
      resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr });
      this.#wake();
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Stops reading its output, as `| head` does when it has seen enough. */
  closeOutput(): void {
    this.#child.stdout?.destroy();
  }

  /** Waits until its output matches, and gives the match. */
  async shows(pattern: RegExp, stream: 'stdout' | 'stderr' = 'stdout'): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(stream === 'stdout' ? this.#stdout : this.#stderr);
      if (match) return match;
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        const { stdout, stderr } = await this.ended;
        const last = pattern.exec(stream === 'stdout' ? stdout : stderr);
        if (last) return last;
        throw new Error(`plugfest ended without showing ${pattern}\n${stdout}\n${stderr}`);
      }
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.signal('SIGTERM');
    await this.ended;
  }

  #wake(): void {
    for (const wake of this.#watchers) wake();
    this.#watchers.clear();
  }
}

/** Node.js keeps compiled code here between the many starts, which halves the time that each takes. */
const compiled = join(repositoryRoot, 'node_modules', '.cache', 'e2e-compiled');

/** The environment without what would change what is printed or sent. */
function neutralEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(OTEL_|PLUGFEST_|VITEST|NODE_OPTIONS$|NODE_V8_COVERAGE$|FORCE_COLOR$|NO_COLOR$)/.test(name),
    ),
  );
  return { ...kept, NODE_COMPILE_CACHE: compiled };
}

export function startPlugfest(args: readonly string[], surroundings: Surroundings = {}): RunningPlugfest {
  return new RunningPlugfest(args, surroundings);
}

/** Runs `plugfest` to its end. */
export async function plugfest(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  return await startPlugfest(args, surroundings).ended;
}
