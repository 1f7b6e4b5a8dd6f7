import { resolve } from 'node:path';
import { loadFormats, openCaptureSource, type Selection, selected } from '@plugfest/capture';
import { PlugfestError } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { otlpJsonLineChunks } from '@plugfest/telemetry';
import { Command, InvalidArgumentError, Option } from 'commander';
import { analyse } from '../analysis.ts';
import type { Io } from '../io.ts';
import { spansOf, traceResource } from '../traces.ts';

interface ExportOptions extends Selection {
  readonly to: string;
  readonly limit?: number;
}

const formats = (await loadFormats()).filter(({ write }) => write !== undefined);
/** Traces are projected by `telemetry`, from what a capture means; all else is the capture itself in another form. */
const traces = { format: 'otlp', about: 'traces as OTLP JSON Lines' };

/** `plugfest export CAPTURE --to FORMAT`: to stdout. */
export default (io: Io): Command =>
  new Command('export')
    .description('write a capture in another format, to stdout')
    .argument('<capture>', 'a capture.sqlite file')
    .addOption(
      new Option('--to <format>', 'format')
        .choices([...formats, traces].map(({ format }) => format))
        .makeOptionMandatory(),
    )
    .option('--cell <glob>', 'only exchanges of these cells')
    .option('--task <id>', 'only exchanges that mention this task (or any other text) in a URL or a body')
    .option('--exchange <id>', 'only this exchange')
    .option('--limit <number>', 'arrows of a diagram at most (default: 200)', positive)
    .addHelpText(
      'after',
      `
Formats:
${[...formats, traces].map(({ format, about }) => `  ${format.padEnd(10)} ${about}`).join('\n')}

Examples:
  plugfest export plugfest-out/demo/capture.sqlite --to ndjson > traffic.ndjson
  plugfest export capture.sqlite --to mermaid --task 3f6c… > task.mmd
  plugfest export capture.sqlite --to curl --exchange x17`,
    )
    .action(async (capture: string, { to, limit, ...selection }: ExportOptions) => {
      if (to === traces.format && Object.keys(selection).length > 0)
        throw new PlugfestError(
          'PLUGFEST_USAGE',
          'Traces are of a whole capture: --to otlp selects nothing',
          {
            hint: 'Leave out --cell, --task and --exchange.',
          },
        );
      if (limit !== undefined && formats.find((each) => each.format === to)?.limited !== true)
        throw new PlugfestError('PLUGFEST_USAGE', `--to ${to} writes all there is: it has no --limit`, {
          hint: 'Leave out --limit, or select with --cell, --task or --exchange.',
        });
      const source = openCaptureSource(resolve(io.cwd, capture));
      try {
        const format = formats.find((each) => each.format === to);
        if (format?.write !== undefined) {
          const chosen = selected(source, selection);
          // Only a selection is asked twice: where all is wanted, an empty capture is an answer.
          if (Object.keys(selection).length > 0 && !Iterator.from(chosen.exchanges()).some(() => true))
            throw new PlugfestError(
              'PLUGFEST_USAGE',
              `${capture}: no exchange is selected by ${flagsOf(selection)}`,
              {
                hint: 'The report and `plugfest export --to ndjson` show the ids of cells, tasks and exchanges.',
              },
            );
          for (const piece of format.write(chosen, { limit })) io.out(piece);
          return;
        }
        const spans = await spansOf(analyse(source, await loadRulebook()));
        for await (const line of otlpJsonLineChunks(spans, traceResource)) io.out(line);
      } finally {
        source.close();
      }
    });

const flagsOf = (selection: Selection): string =>
  Object.entries(selection)
    .map(([name, value]) => `--${name} ${JSON.stringify(value)}`)
    .join(' ');

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('It is a whole number from 1 on.');
  return number;
}
