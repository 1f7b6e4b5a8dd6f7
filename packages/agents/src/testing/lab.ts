import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { mainPath } from '../index.ts';

/** A lab agent in its own process, as the orchestrator would start it. */
export interface RunningAgent {
  readonly url: string;
  readonly ready: {
    readonly ready: boolean;
    readonly name: string;
    readonly card: string;
    readonly origins?: readonly string[];
  };
  readonly process: ChildProcess;
  /** Everything that came on stdout. */
  readonly stdout: () => string;
  readonly stop: () => Promise<void>;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function spawnAgent(flags: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [mainPath, ...flags], { stdio: 'pipe', env: { ...process.env, ...env } });
}

export async function startAgent(
  flags: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<RunningAgent> {
  const child = spawnAgent(flags, env);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const [line] = await Promise.race([
    once(lines, 'line') as Promise<string[]>,
    once(child, 'exit').then(() => Promise.reject(new Error(`the agent did not start: ${stderr}`))),
  ]);
  const ready = JSON.parse(line ?? '') as RunningAgent['ready'];
  return {
    url: new URL(ready.card).origin,
    ready,
    process: child,
    stdout: () => stdout,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

export async function runToEnd(flags: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProcessEnd> {
  const child = spawnAgent(flags, env);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
