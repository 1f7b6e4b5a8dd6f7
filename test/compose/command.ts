import { spawn } from 'node:child_process';

export interface Finished {
  readonly code: number;
  /** stdout and stderr, as they came; its end where it is long. */
  readonly output: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Ends it with SIGTERM on abort. */
  readonly signal?: AbortSignal;
  /** Whether its output goes to this process's stderr as it comes. */
  readonly show?: boolean;
}

const maxOutputChars = 400_000;

/** Runs a program to its end. A program that is not there ends with 127. */
export function run(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Finished> {
  const { cwd, env = {}, timeoutMs = 600_000, show = false, signal } = options;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-maxOutputChars);
        if (show) process.stderr.write(text);
      });
    }
    const timer = setTimeout(() => {
      output += `\n${program} took longer than ${timeoutMs / 1000} s and was ended\n`;
      child.kill('SIGKILL');
    }, timeoutMs);
    const end = (): void => void child.kill('SIGTERM');
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ code: 127, output: `${program}: ${error.message}` });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve({ code: code ?? 137, output });
    });
  });
}

/** As `run`, for what has to succeed. @throws Error with the end of the output. */
export async function must(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const { code, output } = await run(program, args, options);
  if (code === 0) return output;
  const end = output.trim().split('\n').slice(-25).join('\n');
  throw new Error(`${program} ${args.join(' ')} ended with code ${code}\n${end}`);
}
