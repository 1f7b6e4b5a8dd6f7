// Preloaded into a process that is measured: its last line on stderr says what it used.
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Threads of the process preload it, too.
if (isMainThread)
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const used = {
      rssMib: maxRSS / 1024,
      cpuMs: (userCPUTime + systemCPUTime) / 1000,
      wallMs: performance.now(),
    };
    writeSync(2, `\n${JSON.stringify(used)}\n`);
  });
