import { randomUUID } from 'node:crypto';
import { textRedaction } from '@plugfest/capture';
import type { CaptureSink, FaultState } from '@plugfest/model';
import type {
  Lab,
  LabRun,
  LabTokens,
  ProgressEvent,
  ResolveKind,
  ToolchainsMissing,
} from '@plugfest/orchestrator';
import { runLab } from '@plugfest/orchestrator';
import type { RecordingInterposer } from '@plugfest/proxy';
import { createInterposer, FaultSet, loadFaultKinds } from '@plugfest/proxy';
import { EdgeTraffic } from './edge-traffic.ts';
import { openLabTls } from './lab-tls.ts';
import type { RecordedRun } from './recorded-results.ts';
import { recordResult, recordStart, seedOf } from './recorded-results.ts';
import { version } from './version.ts';
import { errorWithoutSecrets, withoutSecrets } from './without-secrets.ts';

export interface RecordingOptions {
  readonly lab: Lab;
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly resolveKind: ResolveKind;
  readonly toolchainsMissing?: ToolchainsMissing;
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

const harness = 'plugfest';

/** Runs a lab through the recording proxy: everything that its capture is to hold goes into the sink. */
export async function recordLab(
  execution: RecordingOptions,
  sink: CaptureSink,
  tokens: LabTokens,
  recorded: RecordedRun | undefined,
): Promise<LabRun> {
  const { lab, resolveKind, only, signal, onProgress } = execution;
  const seed = seedOf(execution.seed, recorded, lab);
  // Without faults in it, it costs an exchange nothing; scenarios may put some.
  const faults = new FaultSet(await loadFaultKinds(), seed);
  for (const fault of lab.faults) faults.put(fault);
  // Only those who are asked in words may call or not call.
  const traffic = lab.agents.some((agent) => 'delegate' in agent) ? new EdgeTraffic() : undefined;
  // Ids of this session must not meet those of the one that is taken up.
  const session = recorded === undefined ? {} : { idPrefix: `${randomUUID().slice(0, 8)}-` };
  using tls = openLabTls(lab.interposition.tls);
  await using interposer = createInterposer({
    sink: traffic?.watching(sink) ?? sink,
    run: sink.run,
    tracing: lab.tracing,
    faults,
    signatures: lab.interposition.signatures,
    ...(tls.authority === undefined ? {} : { tls: tls.authority }),
    ...session,
  });
  sink.record({
    kind: 'participant',
    participant: {
      name: harness,
      kind: 'harness',
      about: `Plugfest ${version}: orchestrator and webhook receiver`,
    },
  });
  recordStart(sink, lab, seed);
  // What agents say in errors gets into reports and onto the terminal without going through the capture.
  const redact = textRedaction(secretsOf(lab, tokens));
  const ran = await runLab(lab, {
    interposer,
    resolveKind,
    tokens,
    trust: tls.trust,
    signal,
    ...(traffic === undefined ? {} : { callsSeen: (...edge) => traffic.calls(...edge) }),
    ...(only === undefined ? {} : { only }),
    ...(execution.toolchainsMissing === undefined ? {} : { toolchainsMissing: execution.toolchainsMissing }),
    seed,
    ...(recorded === undefined ? {} : { finished: recorded.finished }),
    onProgress: (event) => {
      if (event.kind === 'agent-started') introduce(event, lab, sink, interposer);
      const told = withoutSecrets(event, redact);
      if (told.kind === 'cell-finished') recordResult(sink, told.result);
      onProgress(told);
    },
  }).catch((problem: unknown) => {
    throw errorWithoutSecrets(problem, redact);
  });
  const { agents, cells } = ran;
  const notes = [...ran.notes, ...faults.list().map(playedText)];
  return { ...ran, ...withoutSecrets({ agents, cells, notes }, redact) };
}

/** What is known to be secret before anything is sent: the principals' tokens, and what fills headers. */
export function secretsOf(lab: Lab, tokens: LabTokens): readonly string[] {
  const ofPrincipals = [...tokens.values()].flatMap((own) => [...own.values()]);
  return [...ofPrincipals, ...lab.agents.flatMap((agent) => (agent.form === 'card' ? agent.secrets : []))];
}

function playedText({ id, spec, exchanges, applied, bypassed }: FaultState): string {
  return `Fault ${id} (${String(spec.fault)}) was chosen for ${exchanges} exchanges, acted on ${applied} and was bypassed ${bypassed} times.`;
}

function introduce(
  { agent, about, origins, aliases, cardPath }: Extract<ProgressEvent, { kind: 'agent-started' }>,
  lab: Lab,
  sink: CaptureSink,
  interposer: RecordingInterposer,
): void {
  sink.record({ kind: 'participant', participant: { name: agent, kind: 'agent', about } });
  const named = lab.interposition.mode === 'alias' ? { aliases } : {};
  interposer.addParticipant(agent, { origins, cardPaths: [cardPath], ...named });
}
