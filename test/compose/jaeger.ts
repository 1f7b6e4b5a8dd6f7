import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { must } from './command.ts';

const module = 'github.com/jaegertracing/jaeger';

/**
 * Builds Jaeger's all-in-one from its Go module, which takes minutes the first time. The module is without the pages of
 * its user interface, so the program has the query API and an empty page. `go install` does not take it, because its
 * go.mod replaces another module. @returns the program's path
 */
export async function buildJaeger(version: string, folder: string, signal: AbortSignal): Promise<string> {
  const download = await must('go', ['mod', 'download', '-json', `${module}@v${version}`], { signal });
  const { Dir } = JSON.parse(download) as { Dir: string };
  const source = join(folder, 'source');
  await cp(Dir, source, { recursive: true });
  // What Go has downloaded is read-only.
  await chmod(source, 0o755);
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  const program = join(folder, 'bin', 'all-in-one');
  await mkdir(join(folder, 'bin'));
  await must(
    'go',
    [
      'build',
      '-C',
      source,
      '-p',
      '2',
      '-buildvcs=false',
      '-trimpath',
      '-ldflags=-s -w',
      '-o',
      program,
      './cmd/all-in-one',
    ],
    { env: { CGO_ENABLED: '0' }, signal, timeoutMs: 1_500_000 },
  );
  return program;
}
