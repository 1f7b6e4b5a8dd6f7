import { type ChildProcess, fork } from 'node:child_process';
import type { Order, Ready, Result, Usage, UsageOrder } from './messages.ts';

const deadlineMs = 30_000;

/** A child process of the bench: everything measured has an event loop of its own. */
export class Peer implements AsyncDisposable {
  readonly name: string;
  readonly port: number;
  private readonly child: ChildProcess;

  private constructor(name: string, child: ChildProcess, ready: Ready) {
    this.name = name;
    this.child = child;
    this.port = ready.port;
  }

  static async start(name: string, ...args: readonly string[]): Promise<Peer> {
    const child = fork(new URL(`./${name}.ts`, import.meta.url), args, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: process.env.PLUGFEST_BENCH_PROFILE === name ? ['--cpu-prof'] : [],
    });
    return new Peer(name, child, await message<Ready>(name, child));
  }

  /** Has a load generator carry out an order. */
  run(order: Order): Promise<Result> {
    const result = message<Result>(this.name, this.child);
    this.child.send(order);
    return result;
  }

  /** Processor time that a proxy has used so far, in microseconds. */
  async cpuUs(): Promise<number> {
    return (await this.usage()).cpuUs;
  }

  usage(): Promise<Usage> {
    const usage = message<Usage>(this.name, this.child);
    this.child.send({ type: 'usage' } satisfies UsageOrder);
    return usage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.disconnect();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(timer);
  }
}

function message<T>(name: string, child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      act();
    };
    const onMessage = (value: unknown): void => settle(() => resolve(value as T));
    const onExit = (code: number | null): void =>
      settle(() => reject(new Error(`${name} ended with ${code}`)));
    const timer = setTimeout(() => settle(() => reject(new Error(`${name} did not answer`))), deadlineMs);
    child.on('message', onMessage);
    child.on('exit', onExit);
  });
}
