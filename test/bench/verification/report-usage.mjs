// Preloaded into a process that is measured: its last line on stderr says what it used.
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(
    2,
    `\n${JSON.stringify({ rssMib: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000, wallMs: performance.now() })}\n`,
  );
});
