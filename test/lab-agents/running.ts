import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Json, JsonObject } from '@plugfest/model';
import type { Dialect } from '@plugfest/orchestrator';
import { HttpClient } from '../../packages/orchestrator/src/client/http.ts';
import type { DriveCall, DriveResult } from '../../packages/orchestrator/src/driver/drive.ts';
import { RawDriver } from '../../packages/orchestrator/src/driver/raw-driver.ts';
import type { Kind } from './kinds.ts';

/** One that cannot start in this time, also on a machine that builds something, is broken. */
const startMs = 60_000;
const callMs = 20_000;
const wellKnown = '/.well-known/agent-card.json';

export interface Ready {
  readonly ready: boolean;
  readonly name: string;
  readonly card: string;
  readonly origins?: readonly string[];
}

/** An agent in a process of its own, and Plugfest's own client of it, which shares no code with any SDK. */
export class Running implements AsyncDisposable {
  readonly ready: Ready;
  readonly process: ChildProcess;
  readonly url: string;
  readonly #http = new HttpClient();
  readonly #stdout: string[];
  readonly #drivers = new Map<string, RawDriver>();

  private constructor(child: ChildProcess, ready: Ready, stdout: string[]) {
    this.process = child;
    this.ready = ready;
    this.url = ready.card.slice(0, -wellKnown.length);
    this.#stdout = stdout;
  }

  static async start(kind: Kind, flags: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Running> {
    const child = spawnAgent(kind, flags, env);
    const stdout: string[] = [];
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    const first = new Promise<string>((resolve) => {
      lines.on('line', (line) => {
        stdout.push(line);
        resolve(line);
      });
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-2000);
    });
    const failed = once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`ended with ${code}: ${stderr}`)),
    );
    const late = AbortSignal.timeout(startMs);
    const line = await Promise.race([
      first,
      failed,
      once(late, 'abort').then(() => Promise.reject(late.reason)),
    ]);
    failed.catch(() => {});
    return new Running(child, JSON.parse(String(line)) as Ready, stdout);
  }

  /** What it said on stdout after the ready line. */
  get further(): readonly string[] {
    return this.#stdout.slice(1);
  }

  async get(path: string): Promise<{ readonly status: number; readonly json: JsonObject }> {
    const answer = await fetch(this.url + path, { signal: AbortSignal.timeout(callMs) });
    const text = await answer.text();
    return { status: answer.status, json: answer.ok ? (JSON.parse(text) as JsonObject) : {} };
  }

  card(): Promise<JsonObject> {
    return this.get(wellKnown).then(({ json }) => json);
  }

  call(dialect: Dialect, call: DriveCall, token?: string): Promise<DriveResult> {
    const key = JSON.stringify([dialect, token]);
    const address = {
      ...{ name: this.ready.name, origin: this.url, cardPath: wellKnown, headers: {} },
      // Not a header of the address: the card is fetched without it.
      tokens: new Map(token === undefined ? [] : [['caller', token]]),
      isTap: () => true,
    };
    const driver = this.#drivers.get(key) ?? new RawDriver(this.#http, address, dialect);
    this.#drivers.set(key, driver);
    return driver.call(call, AbortSignal.timeout(callMs));
  }

  /** Ends it with SIGTERM; the exit code, and how long it took. */
  async end(): Promise<{ readonly code: number | null; readonly tookMs: number }> {
    const begin = performance.now();
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const exit = once(this.process, 'exit');
      this.process.kill('SIGTERM');
      await exit;
    }
    return { code: this.process.exitCode, tookMs: performance.now() - begin };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await this.#http.close();
  }
}

/** Runs it to its end, as with a flag that it refuses. */
export async function runToEnd(kind: Kind, flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawnAgent(kind, flags, env);
  const timer = setTimeout(() => child.kill('SIGKILL'), startMs);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, stdout, stderr };
}

function spawnAgent(kind: Kind, flags: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const [program, ...rest] = kind.command;
  return spawn(program, [...rest, ...flags], {
    cwd: kind.cwd,
    env: { ...process.env, ...env },
    stdio: 'pipe',
  });
}

/** The data of a drive result, in an event of `call`. */
export function driveResultIn({ events }: DriveResult): JsonObject {
  const task = events.find((event) => event.kind === 'task');
  const artifact = task?.artifacts.find(({ name }) => name === 'drive-result');
  return (artifact?.contents?.find(({ kind }) => kind === 'data')?.content ?? {}) as JsonObject & Json;
}
