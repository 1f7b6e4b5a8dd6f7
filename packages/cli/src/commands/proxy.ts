import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { openCapture } from '@plugfest/capture';
import { type EdgeKind, isPlugfestError, PlugfestError, runId, type Tap } from '@plugfest/model';
import { createInterposer, newSigningKey, type RecordingInterposer } from '@plugfest/proxy';
import { printable } from '@plugfest/report';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  type EdgeMode,
  type EdgeSpec,
  type ListenSpec,
  type OriginSpec,
  parseCardPath,
  parseEdge,
  parseHost,
  parseListen,
  parseOrigin,
} from '../edge-spec.ts';
import { InterpositionState, stateFileOf } from '../interposition-state.ts';
import type { Io } from '../io.ts';
import { readKeyFile } from '../key-file.ts';
import { type FaultOptions, openControl, openFaults } from '../proxy-faults.ts';
import { stateOption } from '../state-folder.ts';
import { openTapTls, type TlsOptions } from '../tap-tls.ts';

interface ProxyOptions extends TlsOptions, FaultOptions {
  readonly origin?: readonly string[];
  readonly listen?: readonly string[];
  readonly card?: readonly string[];
  readonly advertise?: string;
  readonly capture: string;
  readonly mode: EdgeMode;
  readonly signatures: 'strip' | 'resign';
  readonly keys?: string;
  readonly tracing: 'observe' | 'inject';
  readonly append?: true;
  readonly durable?: true;
  readonly bodyCap?: number;
  readonly unsafeRaw?: true;
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `plugfest proxy`: just record. */
export default (io: Io): Command => {
  // Addresses to listen on go with edges of both kinds in the order of the command line, so one list holds them.
  const given: { readonly text: string; readonly kind: EdgeKind }[] = [];
  return new Command('proxy')
    .description('record the traffic of agents that you run yourself')
    .option(
      '--edge <[mode:]caller=callee@url>',
      'who calls whom, and where the callee really is; repeat for more',
      (text: string) => given.push({ text, kind: 'a2a' }),
    )
    .option(
      '--webhook <[mode:]sender=receiver@url>',
      'a push edge, from agent to webhook receiver; repeat for more',
      (text: string) => given.push({ text, kind: 'webhook' }),
    )
    .option(
      '--origin <callee=url>',
      'a further address of a callee, to which its card may lead; repeat for more',
      collect,
    )
    .option(
      '--listen <host:port>',
      'address for each --edge and --webhook, in the order in which those are given; free ports of 127.0.0.1 otherwise',
      collect,
    )
    .option(
      '--card <callee=path>',
      'a further path at which a callee serves its card; repeat for more',
      collect,
    )
    .option(
      '--advertise <host>',
      'host to put into cards and webhooks, where peers do not reach taps at 127.0.0.1',
    )
    .requiredOption('--capture <file>', 'capture to write')
    .addOption(
      new Option(
        '--mode <mode>',
        'rewrite puts our addresses into cards and webhooks; alias leaves URLs and bodies as they are; forward is an HTTP proxy for each caller',
      )
        .choices(['rewrite', 'alias', 'forward'])
        .default('rewrite'),
    )
    .addOption(
      new Option('--signatures <what>', 'what becomes of the signatures of a card that is rewritten')
        .choices(['strip', 'resign'])
        .default('strip'),
    )
    .option(
      '--keys <file>',
      'public keys that cards are signed with (JWK, or a set), to check them before that',
    )
    .addOption(
      new Option('--tracing <how>', 'inject adds traceparent, and Via to find loops')
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
    .option(
      '--body-cap <MiB>',
      'stored of one body at most; size and digest are kept of all (default: 64)',
      mebibytes,
    )
    .option('--unsafe-raw', 'store secrets in the clear')
    .addHelpText(
      'after',
      '\nPrints a line for each edge, "CALLER -> CALLEE  ADDRESS", and records until Ctrl-C.\n\nExample:\n  plugfest proxy --edge client=hotel@http://127.0.0.1:9000 --capture hotel.sqlite',
    )
    .action(async (options: ProxyOptions, command: Command) => {
      // From here on a signal must not cut the recorder off.
      const { signal } = io;
      const edges = given.map(({ text, kind }) => parseEdge(text, kind));
      const listens = (options.listen ?? []).map(parseListen);
      if (edges.length === 0)
        throw new PlugfestError('PLUGFEST_USAGE', 'No edge is given', {
          hint: 'Add --edge CALLER=CALLEE@URL.',
        });
      const cardKeys = options.keys === undefined ? [] : readKeyFile('--keys', resolve(io.cwd, options.keys));
      const origins = (options.origin ?? []).map(parseOrigin);
      const cards = (options.card ?? []).map(parseCardPath);
      for (const { callee } of [...origins, ...cards])
        if (!edges.some((edge) => edge.callee === callee))
          throw new PlugfestError('PLUGFEST_USAGE', `No edge leads to ${callee}, which an option names`, {
            hint: 'Callees are named by --edge CALLER=CALLEE@URL.',
          });
      const advertise = options.advertise === undefined ? undefined : parseHost(options.advertise);
      if (listens.length > edges.length)
        throw new PlugfestError(
          'PLUGFEST_USAGE',
          `${listens.length} addresses are given for ${edges.length} edges`,
        );
      refuseIdle(edges, options, command.getOptionValueSource('signatures') === 'cli');
      refuseTwoProxies(edges, listens, options.mode);
      if (options.unsafeRaw)
        io.log('plugfest: --unsafe-raw: secrets will be stored in the clear. Keep the file to yourself.');

      const faults = await openFaults(io, options);
      await using tls = openTapTls(io, options);
      const file = resolve(io.cwd, options.capture);
      const isNew = !existsSync(file);
      // Only where something is given out that has to lead back in the next session.
      const state = needsState(edges, options) ? InterpositionState.open(stateFileOf(file)) : undefined;
      let recording = false;
      const sink = openCapture({
        file,
        run: runId(`run-${randomUUID()}`),
        existing: options.append ? 'continue' : 'refuse',
        durable: options.durable ?? false,
        unsafeRaw: options.unsafeRaw ?? false,
        ...(options.bodyCap === undefined ? {} : { bodyCapBytes: options.bodyCap }),
      });
      try {
        await using interposer = createInterposer({
          sink,
          run: sink.run,
          tracing: options.tracing,
          ...tls.interposer,
          mode: options.mode,
          ...(advertise === undefined ? {} : { advertise }),
          signatures: options.signatures,
          cardKeys,
          ...(state === undefined ? {} : { webhookKey: state.webhookKey }),
          ...(state === undefined || options.signatures === 'strip'
            ? {}
            : { signingKey: state.signingKey(newSigningKey) }),
          ...(faults === undefined ? {} : { faults }),
          // Ids of this session must not meet those of the sessions before it.
          ...(options.append ? { idPrefix: `${randomUUID().slice(0, 8)}-` } : {}),
        });
        for (const name of new Set(edges.flatMap(({ caller, callee }) => [caller, callee])))
          sink.record({ kind: 'participant', participant: { name, kind: 'unknown' } });
        for (const { callee, upstream } of edges)
          interposer.addParticipant(callee, { origins: [new URL(upstream).origin] });
        for (const { callee, origin } of origins) interposer.addParticipant(callee, { origins: [origin] });
        for (const { callee, path } of cards)
          interposer.addParticipant(callee, { origins: [], cardPaths: [path] });
        const lines: string[] = [];
        const isForward = ({ mode }: EdgeSpec): boolean => (mode ?? options.mode) === 'forward';
        for (const [index, edge] of [...edges, ...furtherReceivers(edges, origins)].entries()) {
          const tap = await openTap(interposer, edge, listens[index], state, io);
          lines.push(`${edge.caller} -> ${edge.callee}  ${tap.origin}\n`);
          state?.remember(edge, tap.origin);
        }
        state?.save();
        for (const caller of new Set(edges.filter(isForward).map((edge) => edge.caller)))
          io.log(
            `Give ${caller} the address printed for it as HTTP_PROXY and HTTPS_PROXY; it calls the real URLs.`,
          );
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
};

/** What no edge would make use of was meant otherwise. */
function refuseIdle(
  edges: readonly EdgeSpec[],
  { mode, advertise, origin, card }: ProxyOptions,
  signatures: boolean,
): void {
  const modeOf = (edge: EdgeSpec): EdgeMode => edge.mode ?? mode;
  const rewrites = edges.some((edge) => modeOf(edge) === 'rewrite');
  const refuse = (option: string, why: string, hint: string): never => {
    throw new PlugfestError('PLUGFEST_USAGE', `${option} does nothing here: ${why}`, { hint });
  };
  if (signatures && !rewrites)
    refuse(
      '--signatures',
      'no edge is in rewrite mode, and only cards that are rewritten lose their signature',
      'Leave it out; signatures of cards stay in alias and forward mode.',
    );
  if (advertise !== undefined && edges.every((edge) => modeOf(edge) === 'alias'))
    refuse(
      '--advertise',
      'in alias mode no address of a tap is given out',
      'Leave it out, or use --mode rewrite.',
    );
  if (origin !== undefined && !rewrites && edges.every(({ kind }) => kind === 'a2a'))
    refuse(
      '--origin',
      'no edge is in rewrite mode, so no card is made to lead to a tap of it',
      'Give each address of a callee an --edge of its own.',
    );
  if (card !== undefined && edges.every(({ kind }) => kind === 'webhook'))
    refuse('--card', 'webhook receivers serve no card', 'Leave it out, or add the --edge of an agent.');
}

/** A caller has one forward proxy for all its callees, so all its edges have the same address. */
function refuseTwoProxies(edges: readonly EdgeSpec[], listens: readonly ListenSpec[], mode: EdgeMode): void {
  const asked = new Map<string, string>();
  for (const [index, edge] of edges.entries()) {
    const listen = listens[index];
    if ((edge.mode ?? mode) !== 'forward' || listen === undefined) continue;
    const address = `${listen.host ?? '127.0.0.1'}:${listen.port}`;
    const first = asked.get(edge.caller) ?? address;
    if (first !== address)
      throw new PlugfestError(
        'PLUGFEST_USAGE',
        `--listen gives ${edge.caller} two forward proxies, at ${first} and ${address}`,
        {
          hint: 'A caller has one for all its callees: give the same address for each of its edges.',
        },
      );
    asked.set(edge.caller, first);
  }
}

function needsState(edges: readonly EdgeSpec[], { mode, signatures }: ProxyOptions): boolean {
  const rewriting = edges.filter((edge) => (edge.mode ?? mode) === 'rewrite');
  return rewriting.some(({ kind }) => kind === 'webhook' || signatures === 'resign');
}

/** Webhooks may be registered at each address of a receiver; each gets a tap. */
const furtherReceivers = (edges: readonly EdgeSpec[], origins: readonly OriginSpec[]): readonly EdgeSpec[] =>
  edges
    .filter(({ kind }) => kind === 'webhook')
    .flatMap((edge) =>
      origins
        .filter(({ callee, origin }) => callee === edge.callee && origin !== new URL(edge.upstream).origin)
        .map(({ origin }) => ({ ...edge, upstream: origin })),
    );

/** Where no address is given, that of the session before is the best: peers know it. */
async function openTap(
  interposer: RecordingInterposer,
  edge: EdgeSpec,
  listen: ListenSpec | undefined,
  state: InterpositionState | undefined,
  io: Io,
): Promise<Tap> {
  if (listen !== undefined) return interposer.openTap({ ...edge, listen });
  const port = state?.portOf(edge);
  if (port === undefined) return interposer.openTap(edge);
  try {
    return await interposer.openTap({ ...edge, listen: { port } });
  } catch (error) {
    if (!isPlugfestError(error) || error.code !== 'PLUGFEST_LISTEN') throw error;
    const { caller, callee } = edge;
    io.log(
      `plugfest: ${caller} reached ${callee} at port ${port}, which is taken now; what was given out then does not lead there any more.`,
    );
    return interposer.openTap(edge);
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  // Listeners keep the process alive; the signal ends it.
  await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
}

/** Bytes, from a number of MiB. */
function mebibytes(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 1024)) throw new InvalidArgumentError('It is a number of MiB, at most 1024.');
  return Math.ceil(number * 1024 * 1024);
}
