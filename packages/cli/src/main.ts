import { readdirSync } from 'node:fs';
import { isPlugfestError, PlugfestError } from '@plugfest/model';
import { printable, shorten } from '@plugfest/report';
import { Command, CommanderError } from 'commander';
import type { Io } from './io.ts';
import { progressLineOn } from './io.ts';
import { version } from './version.ts';

/** A command: a file in `commands/` with the command's name, whose default export builds it. */
export type BuildCommand = (io: Io) => Command;

/** The command asked for, without loading what only the others need; all of them where that is none. */
async function commands(io: Io, asked: string | undefined): Promise<Command[]> {
  const folder = new URL('./commands/', import.meta.url);
  const all = readdirSync(folder).filter((file) => /^[a-z]+\.(ts|js)$/.test(file));
  const own = all.filter((file) => file.replace(/\.\w+$/, '') === asked);
  const files = own.length > 0 ? own : all;
  const modules = await Promise.all(
    files.map(
      async (file) => (await import(new URL(file, folder).href)) as { readonly default: BuildCommand },
    ),
  );
  return modules.map((module) => module.default(io)).sort((a, b) => (a.name() < b.name() ? -1 : 1));
}

/** Runs the command line and returns the exit code: 0 clean, 1 findings, 2 usage, 3 the harness failed. */
export async function main(args: readonly string[]): Promise<number> {
  let code = 0;
  let aborted: AbortSignal | undefined;
  const io: Io = {
    cwd: process.cwd(),
    env: process.env,
    // Only a command that asks for it can end itself; any other has to end as the system ends it.
    get signal() {
      aborted ??= abortedBySignals();
      return aborted;
    },
    color:
      process.env.NO_COLOR === undefined &&
      (process.env.FORCE_COLOR !== undefined || process.stdout.isTTY === true),
    progressLine: progressLineOn(process.stderr),
    out: (text) => void process.stdout.write(text),
    log: (line) => void process.stderr.write(`${printable(line)}\n`),
    logPainted: (line) => void process.stderr.write(`${line}\n`),
    exit: (next) => {
      code = Math.max(code, next);
    },
  };
  // A reader that goes away (`| head`) ends the output, not the job.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

  try {
    const program = new Command('plugfest')
      .description('Interop lab for A2A agents: records the traffic between real agents and judges it.')
      .version(version, '-V, --version')
      .showSuggestionAfterError(true)
      .addHelpText(
        'after',
        '\nExamples:\n  plugfest demo\n  plugfest run labs/js.yaml\n  plugfest verify plugfest-out/js/capture.sqlite\n\nplugfest <command> --help shows how a command is used.',
      )
      .exitOverride()
      .configureOutput({
        writeOut: io.out,
        writeErr: (text) => io.log(text.trimEnd()),
        // `explain` says it, in the form of all our errors.
        outputError: () => {},
      });
    for (const command of await commands(io, args[0])) {
      command.exitOverride().copyInheritedSettings(program);
      program.addCommand(command);
    }
    await program.parseAsync([...args], { from: 'user' });
  } catch (problem) {
    code = Math.max(code, explain(usageError(problem, args[0]), io));
  }
  return code;
}

/** A terminal signals the whole group, and whoever started this process passes on the same signal once more. */
const sameSignalMs = 500;

/** Aborted by the first SIGINT or SIGTERM; the second ends the process. */
function abortedBySignals(): AbortSignal {
  const abort = new AbortController();
  let firstMs: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstMs === undefined) {
      firstMs = performance.now();
      abort.abort(new Error(`ended by ${signal}`));
    } else if (performance.now() - firstMs > sameSignalMs) {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      process.kill(process.pid, signal);
    }
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return abort.signal;
}

/** What commander finds wrong with a command line, as an error of ours; anything else as it is. */
function usageError(problem: unknown, asked: string | undefined): unknown {
  if (!(problem instanceof CommanderError) || problem.exitCode === 0 || problem.code === 'commander.help')
    return problem;
  const [message = '', suggestion] = problem.message.replace(/^error: /, '').split('\n');
  const known = asked !== undefined && /^[a-z]+$/.test(asked) && problem.code !== 'commander.unknownCommand';
  const command = known ? `${asked} ` : '';
  return new PlugfestError('PLUGFEST_USAGE', message.replace(/\.$/, ''), {
    hint: suggestion?.replace(/^\(|\)$/g, '') ?? `plugfest ${command}--help shows how it is used.`,
    cause: problem,
  });
}

/** Says what went wrong in one line, and what to do next; returns the exit code. */
function explain(problem: unknown, io: Io): number {
  if (problem instanceof CommanderError) return problem.exitCode === 0 ? 0 : 2;
  if (isPlugfestError(problem)) {
    io.log(`plugfest: ${indented(problem.message)} (${problem.code})`);
    if (problem.hint !== undefined) io.log(`  ${indented(problem.hint)}`);
    return problem.exitCode;
  }
  const message = problem instanceof Error ? problem.message : String(problem);
  io.log(`plugfest: internal error: ${indented(message)} (PLUGFEST_INTERNAL)`);
  io.log('  This is a fault of Plugfest. Set PLUGFEST_DEBUG=1 to see where it happened.');
  if (io.env.PLUGFEST_DEBUG !== undefined && problem instanceof Error) io.log(problem.stack ?? '');
  return 3;
}

/** Text of several lines that cannot pass for several messages. */
const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => shorten(line, 2000))
    .join('\n    ');
