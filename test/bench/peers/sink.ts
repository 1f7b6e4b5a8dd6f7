import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileSink, openCapture } from '@plugfest/capture';
import { runId } from '@plugfest/model';

/** A capture in a fresh temporary folder, which goes when the process does. */
export function openBenchCapture(): FileSink {
  const folder = mkdtempSync(join(tmpdir(), 'plugfest-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return openCapture({ file: join(folder, 'capture.sqlite'), run: runId('bench') });
}
