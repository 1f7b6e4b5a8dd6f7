import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { openCapture } from '@plugfest/capture';
import { PlugfestError, runId } from '@plugfest/model';
import { createInterposer } from '@plugfest/proxy';
import { printable } from '@plugfest/report';
import { Command, Option } from 'commander';
import { parseEdge, parseListen, parseOrigin } from '../edge-spec.ts';
import type { Io } from '../io.ts';
import { type FaultOptions, openControl, openFaults } from '../proxy-faults.ts';
import { stateOption } from '../state-folder.ts';
import { openTapTls, type TlsOptions } from '../tap-tls.ts';

interface ProxyOptions extends TlsOptions, FaultOptions {
  readonly edge?: readonly string[];
  readonly webhook?: readonly string[];
  readonly origin?: readonly string[];
  readonly listen?: readonly string[];
  readonly capture: string;
  readonly mode: 'rewrite' | 'alias';
  readonly tracing: 'observe' | 'inject';
  readonly append?: true;
  readonly durable?: true;
  readonly unsafeRaw?: true;
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `plugfest proxy`: just record. */
export default (io: Io): Command =>
  new Command('proxy')
    .description('record the traffic of agents that you run yourself')
    .option(
      '--edge <caller=callee@url>',
      'who calls whom, and where the callee really is; repeat for more',
      collect,
    )
    .option(
      '--webhook <sender=receiver@url>',
      'a push edge, from agent to webhook receiver; repeat for more',
      collect,
    )
    .option(
      '--origin <callee=url>',
      'a further address of a callee, to which its card may lead; repeat for more',
      collect,
    )
    .option(
      '--listen <host:port>',
      'address for each edge, in their order; free ports of 127.0.0.1 otherwise',
      collect,
    )
    .requiredOption('--capture <file>', 'capture to write')
    .addOption(
      new Option('--mode <mode>', 'rewrite puts our addresses into agent cards; alias leaves all bytes alone')
        .choices(['rewrite', 'alias'])
        .default('rewrite'),
    )
    .addOption(
      new Option('--tracing <how>', 'inject adds traceparent')
        .choices(['observe', 'inject'])
        .default('observe'),
    )
    .option('--tls', 'speak TLS with certificates of the lab CA (see plugfest ca), whatever callees speak')
    .option('--upstream-ca <file>', 'certificates that callees may be signed by beside the usual ones; PEM')
    .option('--tls-keylog <file>', 'append the secrets of TLS connections on both sides, for Wireshark')
    .option(...stateOption)
    .option('--faults <file>', 'play the faults of this file (docs/faults.md)')
    .option(
      '--control <port>',
      'switch faults while it runs: an API on 127.0.0.1, with a token that is printed',
    )
    .option('--append', 'continue a capture that exists')
    .option('--durable', 'fsync every batch')
    .option('--unsafe-raw', 'store secrets in the clear')
    .addHelpText(
      'after',
      '\nPrints a line for each edge, "CALLER -> CALLEE  ADDRESS", and records until Ctrl-C.\n\nExample:\n  plugfest proxy --edge client=hotel@http://127.0.0.1:9000 --capture hotel.sqlite',
    )
    .action(async (options: ProxyOptions) => {
      // From here on a signal must not cut the recorder off.
      const { signal } = io;
      const edges = [
        ...(options.edge ?? []).map((text) => parseEdge(text, 'a2a')),
        ...(options.webhook ?? []).map((text) => parseEdge(text, 'webhook')),
      ];
      const listens = (options.listen ?? []).map(parseListen);
      if (edges.length === 0)
        throw new PlugfestError('PLUGFEST_USAGE', 'No edge is given', {
          hint: 'Add --edge CALLER=CALLEE@URL.',
        });
      const origins = (options.origin ?? []).map(parseOrigin);
      for (const { callee } of origins)
        if (!edges.some((edge) => edge.callee === callee))
          throw new PlugfestError('PLUGFEST_USAGE', `--origin names ${callee}, to which no edge leads`, {
            hint: 'Callees are named by --edge CALLER=CALLEE@URL.',
          });
      if (listens.length > edges.length)
        throw new PlugfestError(
          'PLUGFEST_USAGE',
          `${listens.length} addresses are given for ${edges.length} edges`,
        );
      if (options.unsafeRaw)
        io.log('plugfest: --unsafe-raw: secrets will be stored in the clear. Keep the file to yourself.');

      const faults = await openFaults(io, options);
      await using tls = openTapTls(io, options);
      const file = resolve(io.cwd, options.capture);
      const isNew = !existsSync(file);
      let recording = false;
      const sink = openCapture({
        file,
        run: runId(`run-${randomUUID()}`),
        existing: options.append ? 'continue' : 'refuse',
        durable: options.durable ?? false,
        unsafeRaw: options.unsafeRaw ?? false,
      });
      try {
        await using interposer = createInterposer({
          sink,
          run: sink.run,
          tracing: options.tracing,
          ...tls.interposer,
          mode: options.mode,
          ...(faults === undefined ? {} : { faults }),
          // Ids of this session must not meet those of the sessions before it.
          ...(options.append ? { idPrefix: `${randomUUID().slice(0, 8)}-` } : {}),
        });
        for (const name of new Set(edges.flatMap(({ caller, callee }) => [caller, callee])))
          sink.record({ kind: 'participant', participant: { name, kind: 'unknown' } });
        for (const { callee, upstream } of edges)
          interposer.addParticipant(callee, { origins: [new URL(upstream).origin] });
        for (const { callee, origin } of origins) interposer.addParticipant(callee, { origins: [origin] });
        const lines: string[] = [];
        for (const [index, edge] of edges.entries()) {
          const listen = listens[index];
          const tap = await interposer.openTap({ ...edge, ...(listen === undefined ? {} : { listen }) });
          lines.push(`${edge.caller} -> ${edge.callee}  ${tap.origin}\n`);
        }
        await using _control = await openControl(io, options, interposer, sink);
        // Whoever reads an address may call at once: the recorder must be at work by then, not still loading.
        await sink.flush();
        recording = true;
        for (const line of lines) io.out(printable(line));
        io.log('Recording until Ctrl-C.');
        await aborted(signal);
      } finally {
        await sink.close();
        // Nobody was told an address: what is left is an empty file in the way of the next try.
        if (isNew && !recording) rmSync(file, { force: true });
      }
      io.log(`Recorded into ${options.capture}.`);
    });

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  // Listeners keep the process alive; the signal ends it.
  await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
}
