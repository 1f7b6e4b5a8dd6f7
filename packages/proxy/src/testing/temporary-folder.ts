import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** An empty folder that goes when the tests of the file have ended. Call it at the top of a file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plugfest-proxy-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
