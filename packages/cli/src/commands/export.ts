import { resolve } from 'node:path';
import { loadFormats, openCaptureSource } from '@plugfest/capture';
import { loadRulebook } from '@plugfest/rules';
import { otlpJsonLineChunks } from '@plugfest/telemetry';
import { Command, Option } from 'commander';
import { analyse } from '../analysis.ts';
import type { Io } from '../io.ts';
import { spansOf, traceResource } from '../traces.ts';

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
    .addHelpText(
      'after',
      `
Formats:
${[...formats, traces].map(({ format, about }) => `  ${format.padEnd(10)} ${about}`).join('\n')}

Example:
  plugfest export plugfest-out/demo/capture.sqlite --to ndjson > traffic.ndjson`,
    )
    .action(async (capture: string, { to }: { readonly to: string }) => {
      const source = openCaptureSource(resolve(io.cwd, capture));
      try {
        const format = formats.find((each) => each.format === to);
        if (format?.write !== undefined) {
          for (const piece of format.write(source)) io.out(piece);
          return;
        }
        const spans = await spansOf(analyse(source, await loadRulebook()));
        for await (const line of otlpJsonLineChunks(spans, traceResource)) io.out(line);
      } finally {
        source.close();
      }
    });
