import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Ready, Usage } from './messages.ts';

const ownCpuUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/**
 * What every proxy of the benchmarks does besides proxying: says that it is ready, tells its usage, ends. Given
 * `loop-delay`, it also watches how late its event loop is.
 */
export function serveBench(port: number, cpuUs: () => number = ownCpuUs): void {
  const watched = process.argv.includes('loop-delay') ? monitorEventLoopDelay({ resolution: 1 }) : undefined;
  watched?.enable();
  process.on('message', () => {
    const loopDelayMs =
      watched === undefined
        ? undefined
        : { p50: watched.percentile(50) / 1e6, p99: watched.percentile(99) / 1e6, max: watched.max / 1e6 };
    watched?.reset();
    process.send?.({
      type: 'usage',
      cpuUs: cpuUs(),
      ...(loopDelayMs === undefined ? {} : { loopDelayMs }),
    } satisfies Usage);
  });
  // What was recorded is only for the bench.
  process.on('disconnect', () => process.exit(0));
  process.send?.({ type: 'ready', port } satisfies Ready);
}
