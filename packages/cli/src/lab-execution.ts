import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openCapture, openCaptureSource, writeSpans } from '@plugfest/capture';
import type { AgentReport, CaptureSink, CellResult, RunReport } from '@plugfest/model';
import { isPlugfestError, PlugfestError, runId } from '@plugfest/model';
import type { Lab, LabRun, ProgressEvent, ResolveKind } from '@plugfest/orchestrator';
import { applyCellExpectations, completeRun, loadScenarios, runLab } from '@plugfest/orchestrator';
import type { RecordingInterposer } from '@plugfest/proxy';
import { createInterposer } from '@plugfest/proxy';
import { loadReporters, sentence } from '@plugfest/report';
import { loadRulebook } from '@plugfest/rules';
import {
  exportOtlp,
  otlpEndpoint,
  otlpJsonLines,
  projectSpans,
  propagationVerdicts,
  spanRows,
} from '@plugfest/telemetry';
import type { Rulebook } from '@plugfest/verifier';
import { applyExpectations } from '@plugfest/verifier';
import type { Analysis } from './analysis.ts';
import { analyse, reportRules } from './analysis.ts';
import { version } from './version.ts';

export interface LabExecution {
  readonly lab: Lab;
  readonly out: string;
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly resolveKind: ResolveKind;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

export interface ExecutedLab {
  readonly report: RunReport;
  /** 3 where Plugfest itself failed somewhere, so that the run proves less than it says. */
  readonly exitCode: 0 | 1 | 3;
  /** Names of the files written, in the output folder. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

const harness = 'plugfest';

/** Runs a lab from its agents' start to its reports. What was captured stays, whatever fails after. */
export async function executeLab(execution: LabExecution): Promise<ExecutedLab> {
  const { out } = execution;
  makeFolder(out);
  const file = join(out, 'capture.sqlite');
  const book = await loadRulebook();
  const run = runId(`run-${randomUUID()}`);
  const sink = openCapture({ file, run, existing: 'replace' });
  const warnings: string[] = [];
  let labRun: LabRun;
  try {
    labRun = await record(execution, sink);
  } finally {
    await sink.close().catch((problem: unknown) => {
      if (!isPlugfestError(problem)) throw problem;
      warnings.push(`${problem.message} (${problem.code})`);
    });
  }
  const concluded = await conclude(execution, labRun, file, book);
  const { report, traces } = concluded;
  const files = ['capture.sqlite', ...(await writeReports(out, report)), 'traces.otlp.jsonl'];
  write(join(out, 'traces.otlp.jsonl'), traces);
  for (const { cell, error } of labRun.faults)
    warnings.push(`fault of Plugfest in ${cell}: ${error.message}`);
  warnings.push(...concluded.warnings, ...(await sendTraces(concluded, execution)));
  const ownFault = warnings.length > 0 || report.verdict.summary.error > 0;
  return { report, exitCode: ownFault ? 3 : report.exitCode, files, warnings };
}

async function record(execution: LabExecution, sink: CaptureSink): Promise<LabRun> {
  const { lab, resolveKind, only, seed, signal, onProgress } = execution;
  await using interposer = createInterposer({ sink, run: sink.run, tracing: lab.tracing });
  sink.record({
    kind: 'participant',
    participant: {
      name: harness,
      kind: 'harness',
      about: `Plugfest ${version}: orchestrator and webhook receiver`,
    },
  });
  sink.record({ kind: 'note', topic: 'lab', text: lab.name });
  return await runLab(lab, {
    interposer,
    resolveKind,
    signal,
    ...(only === undefined ? {} : { only }),
    ...(seed === undefined ? {} : { seed }),
    onProgress: (event) => {
      if (event.kind === 'agent-started') introduce(event, sink, interposer);
      onProgress(event);
    },
  });
}

function introduce(
  { agent, about, origin }: Extract<ProgressEvent, { kind: 'agent-started' }>,
  sink: CaptureSink,
  interposer: RecordingInterposer,
): void {
  sink.record({ kind: 'participant', participant: { name: agent, kind: 'agent', about } });
  interposer.addParticipant(agent, { origins: [origin] });
}

interface Concluded {
  readonly report: RunReport;
  readonly traces: string;
  readonly spans: ReturnType<typeof projectSpans>;
  readonly warnings: readonly string[];
}

/** Reads the capture back: verdict, hops of each cell, traces. */
async function conclude(
  execution: LabExecution,
  labRun: LabRun,
  file: string,
  book: Rulebook,
): Promise<Concluded> {
  const { lab } = execution;
  const source = openCaptureSource(file);
  let analysis: Analysis;
  let anchorMs: number;
  let edges: ReturnType<typeof source.edges>;
  const { run } = source.info;
  try {
    analysis = analyse(source, book, labRun.cells);
    anchorMs = Date.parse(source.info.startedAt);
    edges = source.edges();
  } finally {
    source.close();
  }
  const { summaries, links, exchanges } = analysis;
  const completed = completeRun(labRun, await loadScenarios(), summaries);
  const partial = labRun.interrupted || labRun.filtered;
  const { cells, stale } = applyCellExpectations(completed.cells, lab.expect.cells, { partial });
  const scenarioOf = new Map<string, string>(cells.map((cell) => [cell.id, cell.scenario]));
  const judged = applyExpectations(analysis.verdict, lab.expect.findings, (cell) =>
    cell === undefined ? undefined : scenarioOf.get(cell),
  );
  // A run that left cells out cannot tell whether an expectation is stale.
  const verdict = partial ? { ...judged, staleExpectations: [] } : judged;
  const spans = projectSpans({ run, anchorMs, summaries, links, cells, edges });
  const unstored = storeSpans(file, spans);
  const agents = agentReports(labRun, analysis);
  const base = {
    cells,
    verdict,
    bypass: completed.bypass,
    staleCellExpectations: stale,
  };
  const report: RunReport = {
    schema: 'plugfest.report/1',
    run: {
      id: run,
      lab: lab.name,
      title: lab.title,
      startedAt: labRun.startedAt,
      durationMs: labRun.durationMs,
      seed: labRun.seed,
      tracing: labRun.tracing,
      plugfest: version,
      node: process.versions.node,
    },
    sentence: sentence(base),
    exitCode: isClean(base, labRun) ? 0 : 1,
    agents,
    ...base,
    notes: labRun.notes,
    exchanges,
    links,
    rules: reportRules(book),
  };
  const traces = await otlpJsonLines(spans, { 'service.name': harness, 'service.version': version });
  return { report, traces, spans, warnings: unstored };
}

/** Puts the spans into the capture. Where that fails, the reports are still worth having: it is a warning. */
function storeSpans(file: string, spans: Concluded['spans']): readonly string[] {
  try {
    writeSpans(file, spanRows(spans));
    return [];
  } catch (problem) {
    if (!isPlugfestError(problem)) throw problem;
    return [`The spans were not stored: ${problem.message} (${problem.code})`];
  }
}

function agentReports(labRun: LabRun, { summaries, links }: Analysis): readonly AgentReport[] {
  const names = labRun.agents.map(({ name }) => name);
  const propagation = propagationVerdicts({ summaries, links, agents: names });
  return labRun.agents.map(({ name, about, cardUrl, versions, bindings, problem }) => ({
    name,
    about: problem === undefined ? about : `${about}; ${problem}`,
    cardUrl,
    versions,
    bindings,
    propagation: propagation.find(({ agent }) => agent === name) ?? {
      agent: name,
      verdict: 'not-exercised',
      hops: 0,
    },
  }));
}

function isClean(
  {
    cells,
    verdict,
    bypass,
    staleCellExpectations,
  }: Pick<RunReport, 'cells' | 'verdict' | 'bypass' | 'staleCellExpectations'>,
  labRun: LabRun,
): boolean {
  const bad = (cell: CellResult): boolean =>
    cell.expectedBecause === undefined && ['failed', 'timeout', 'not-run'].includes(cell.outcome);
  return (
    !labRun.interrupted &&
    !cells.some(bad) &&
    !verdict.findings.some(
      ({ outcome, expectedBecause }) => outcome === 'fail' && expectedBecause === undefined,
    ) &&
    verdict.staleExpectations.length === 0 &&
    staleCellExpectations.length === 0 &&
    bypass.length === 0
  );
}

async function writeReports(out: string, report: RunReport): Promise<readonly string[]> {
  const written: string[] = [];
  for (const reporter of await loadReporters()) {
    if (reporter.file === undefined) continue;
    write(join(out, reporter.file), reporter.render(report));
    written.push(reporter.file);
  }
  return written;
}

/** Sends the spans where the environment names an OTLP endpoint; what fails is a warning, the file is there. */
async function sendTraces({ spans }: Concluded, { env, signal }: LabExecution): Promise<readonly string[]> {
  try {
    if (otlpEndpoint(env) === undefined) return [];
    const resource = { 'service.name': harness, 'service.version': version };
    return (await exportOtlp(spans, { env, resource, ...(signal.aborted ? {} : { signal }) })).warnings;
  } catch (problem) {
    if (!isPlugfestError(problem)) throw problem;
    return [`${problem.message} (${problem.code})`, ...(problem.hint === undefined ? [] : [problem.hint])];
  }
}

/** Makes a folder and those above it. Not by `recursive`, which never comes back where /proc refuses. */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  try {
    for (const each of missing) mkdirSync(each);
    if (!statSync(folder).isDirectory()) throw new Error('not a folder');
  } catch (cause) {
    throw cannotWrite(folder, cause);
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw cannotWrite(file, cause);
  }
}

function cannotWrite(path: string, cause: unknown): PlugfestError {
  const reason = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : undefined;
  const why = reason === undefined ? '' : ` (${reason})`;
  return new PlugfestError('PLUGFEST_OUTPUT', `${path} cannot be written${why}`, {
    hint: 'Choose another folder with --out.',
    cause,
  });
}
