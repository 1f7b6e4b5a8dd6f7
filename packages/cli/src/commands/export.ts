import { resolve } from 'node:path';
import { exportNdjson, openCaptureSource } from '@plugfest/capture';
import { loadRulebook } from '@plugfest/rules';
import { otlpJsonLineChunks } from '@plugfest/telemetry';
import { Command, Option } from 'commander';
import { analyse } from '../analysis.ts';
import type { Io } from '../io.ts';
import { spansOf, traceResource } from '../traces.ts';

/** `plugfest export CAPTURE --to FORMAT`: to stdout. */
export default (io: Io): Command =>
  new Command('export')
    .description('write a capture in another format, to stdout')
    .argument('<capture>', 'a capture.sqlite file')
    .addOption(
      new Option('--to <format>', 'ndjson: exchanges, one a line; otlp: traces as OTLP JSON Lines')
        .choices(['ndjson', 'otlp'])
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      '\nExample:\n  plugfest export plugfest-out/demo/capture.sqlite --to ndjson > traffic.ndjson',
    )
    .action(async (capture: string, { to }: { readonly to: 'ndjson' | 'otlp' }) => {
      const source = openCaptureSource(resolve(io.cwd, capture));
      try {
        if (to === 'ndjson') {
          for (const line of exportNdjson(source)) io.out(`${line}\n`);
          return;
        }
        const spans = await spansOf(analyse(source, await loadRulebook()));
        for await (const line of otlpJsonLineChunks(spans, traceResource)) io.out(line);
      } finally {
        source.close();
      }
    });
