#!/usr/bin/env node
// Entry point. Plain JavaScript, so that an older Node.js can read it and say what is wrong.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) {
  // Type stripping is WebAssembly. V8 may crash where two threads do it: it frees a call wrapper that another one
  // tiers up. So no wrapper is ever hot enough for that.
  setFlagsFromString('--wasm-wrapper-tiering-budget=1000000000');
  // Whoever started this only to have it do the work, and has been killed, wants it ended.
  if (process.env.PLUGFEST_OUTER === String(process.ppid)) {
    const outer = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === outer) return;
      clearInterval(watch);
      process.kill(process.pid, 'SIGTERM');
    }, 250);
    watch.unref();
  }
  // What judging a large capture needs can be said to a process only when it starts (ADR 7), so it starts once more.
  if (
    process.argv[2] === 'verify' &&
    process.platform === 'linux' &&
    !process.env.MALLOC_ARENA_MAX &&
    process.execve
  ) {
    const flags = [
      // A young generation of a third of what V8 would take, and of its whole size from the beginning.
      '--min-semi-space-size=16',
      '--max-semi-space-size=16',
      // The old one would grow to several times of what lives in it before it is collected.
      '--heap-growing-percent=30',
      '--disable-warning=ExperimentalWarning',
    ];
    const args = [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)];
    const memory = {
      // Each thread would get a heap of its own from the C library, which never gives it back.
      MALLOC_ARENA_MAX: '2',
      // Large pieces are given back one by one; else it learns to keep them, and holes grow between them.
      MALLOC_MMAP_THRESHOLD_: '131072',
      MALLOC_TRIM_THRESHOLD_: '131072',
    };
    process.execve(process.execPath, args, { ...process.env, ...memory });
  }
  // Imported here: a static import of what an older Node.js lacks would break before anything is said.
  const { enableCompileCache } = await import('node:module');
  // What was stripped and compiled once is read back: half the time and memory of a start. Where the folder cannot be
  // written, it is done again each time.
  enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/plugfest', import.meta.url)));
  const { main } = await import('../src/main.ts');
  process.exitCode = await main(process.argv.slice(2));
} else {
  let folder = dirname(fileURLToPath(import.meta.url));
  let own;
  while (own === undefined && folder !== dirname(folder)) {
    const candidate = join(folder, 'node_modules', 'node', 'bin', 'node');
    if (existsSync(candidate)) own = candidate;
    folder = dirname(folder);
  }
  if (own === undefined || process.env.PLUGFEST_OUTER === String(process.ppid)) {
    process.stderr.write(
      `plugfest: Node.js 22.19 or newer is needed, this is ${process.versions.node}; install a newer one, or run \`npm install\` in the repository, which brings its own\n`,
    );
    process.exitCode = 2;
  } else {
    const child = spawn(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
      stdio: 'inherit',
      env: { ...process.env, PLUGFEST_OUTER: String(process.pid) },
    });
    // Whoever ends this process means the one that does the work.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    process.exitCode = await new Promise((resolve) => {
      child.on('exit', (code, signal) => {
        if (signal === null) return resolve(code);
        // Ended as it was, so that whoever waits sees what happened.
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      });
      child.on('error', () => resolve(3));
    });
  }
}
