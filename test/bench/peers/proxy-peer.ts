import type { Ready, Usage } from './messages.ts';

/** What every proxy of the benchmarks does besides proxying: says that it is ready, tells its usage, ends. */
export function serveBench(port: number): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ type: 'usage', cpuUs: user + system } satisfies Usage);
  });
  // What was recorded is only for the bench.
  process.on('disconnect', () => process.exit(0));
  process.send?.({ type: 'ready', port } satisfies Ready);
}
