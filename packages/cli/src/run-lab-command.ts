import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Lab, ResolveKind } from '@plugfest/orchestrator';
import { kindsIn, knownKinds } from '@plugfest/orchestrator';
import { type EarlierRun, loadReporters, printable } from '@plugfest/report';
import type { Io } from './io.ts';
import { paintOf } from './io.ts';
import { executeLab } from './lab-execution.ts';
import { progressPrinter } from './lab-progress.ts';
import { toolchainsMissing } from './missing-toolchains.ts';

/** Root of the repository: labs, lab agents and their installations lie below it. */
export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));

const manifests = join(repositoryRoot, 'docker');

/** Kinds of agents that a lab file may name. */
export const labKindNames = (): Promise<readonly string[]> => knownKinds(manifests);

function labKinds(): ResolveKind {
  return kindsIn({
    manifests,
    installs: join(repositoryRoot, '.agents'),
    jsMain: fileURLToPath(import.meta.resolve('@plugfest/agents/main')),
    node: process.execPath,
  });
}

export interface RunSettings {
  /** Path of the lab file, from the working directory. */
  readonly labFile: string;
  readonly out: string;
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly resume?: boolean;
  readonly compare?: EarlierRun;
}

/** Runs a lab as `run` and `demo` do: progress to stderr, the verdict to stdout, files into `out`. */
export async function runAndPrint(lab: Lab, settings: RunSettings, io: Io): Promise<void> {
  const progress = progressPrinter(io, lab.expect);
  try {
    const result = await executeLab({
      lab,
      ...settings,
      resolveKind: labKinds(),
      toolchainsMissing,
      env: io.env,
      signal: io.signal,
      onProgress: progress.onProgress,
      onFindings: progress.onFindings,
    });
    progress.end();
    const text = (await loadReporters()).find(({ format }) => format === 'text');
    io.out(text?.render(result.report, { paint: paintOf(io) }) ?? '');
    io.out(
      `\nReport  ${printable(relative(io.cwd, join(settings.out, 'report.html')))}\nFiles   ${result.files.join('  ')}\n`,
    );
    for (const warning of result.warnings) io.log(`plugfest: ${warning}`);
    io.exit(result.exitCode);
  } finally {
    progress.end();
  }
}
