import { randomUUID } from 'node:crypto';
import { openCapture, openCaptureSource, writeSpans } from '@plugfest/capture';
import type { AgentReport, RunComparison, RunReport } from '@plugfest/model';
import { isPlugfestError, PlugfestError, runId } from '@plugfest/model';
import type { LabRun } from '@plugfest/orchestrator';
import {
  applyCellExpectations,
  completeRun,
  loadScenarios,
  newTokens,
  runnableLab,
} from '@plugfest/orchestrator';
import { compareRuns, type EarlierRun, loadReporters, sentence } from '@plugfest/report';
import { loadRulebook } from '@plugfest/rules';
import type { Span } from '@plugfest/telemetry';
import { exportOtlp, otlpEndpoint, otlpJsonLines, propagationVerdicts, spanRows } from '@plugfest/telemetry';
import type { Results, Rulebook } from '@plugfest/verifier';
import { applyExpectations } from '@plugfest/verifier';
import type { Analysis, Pass } from './analysis.ts';
import { analyse, reportRules } from './analysis.ts';
import { runBefore } from './earlier-run.ts';
import { exitCodeOf } from './exit-code.ts';
import { type RecordingOptions, recordLab, secretsOf } from './lab-recording.ts';
import { recordCells } from './recorded-cells.ts';
import { type RecordedRun, recordedRun } from './recorded-results.ts';
import { RunFolder, tracesName, withHint } from './run-folder.ts';
import { spansOf, traceResource } from './traces.ts';
import { LiveVerification } from './verification/live-verification.ts';
import { version } from './version.ts';

export interface LabExecution extends RecordingOptions {
  /** Path of the lab file, as it is to be given to run it again. */
  readonly labFile: string;
  readonly out: string;
  /** Take up the run that `out` holds: cells that it finished are not run again. */
  readonly resume?: boolean;
  /** A run to compare with; where absent, the one of the same lab that the output folder holds. */
  readonly compare?: EarlierRun;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with what was found so far, while the lab runs. */
  readonly onFindings?: (results: Results) => void;
}

export interface ExecutedLab {
  readonly report: RunReport;
  /** 3 where Plugfest itself failed somewhere, so that the run proves less than it says. */
  readonly exitCode: 0 | 1 | 3;
  /** Names of the files written, in the output folder. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Runs a lab from its agents' start to its reports. What was captured stays, whatever fails after. An earlier run in
 * the folder stays as it is until this one has all its reports; then it is replaced as a whole.
 */
export async function executeLab(execution: LabExecution): Promise<ExecutedLab> {
  const { out, resume = false } = execution;
  // What cannot be run is told before anything is written.
  await runnableLab(execution.lab, execution);
  using folder = await (resume ? RunFolder.resume(out) : RunFolder.open(out));
  const recorded = resume ? takenUp(folder, execution.lab) : undefined;
  try {
    return await executeInto(folder, execution, recorded);
  } catch (problem) {
    throw folder.keepFailed(problem);
  }
}

/** What the run left that is taken up. Where it is none of this lab, the folder stays as it was. */
function takenUp(folder: RunFolder, lab: RecordingOptions['lab']): RecordedRun {
  try {
    return recordedRun(folder.recording, lab);
  } catch (problem) {
    folder.giveBack();
    throw problem;
  }
}

async function executeInto(
  folder: RunFolder,
  execution: LabExecution,
  recorded: RecordedRun | undefined,
): Promise<ExecutedLab> {
  const { recording: file } = folder;
  const book = await loadRulebook();
  const run = runId(`run-${randomUUID()}`);
  const tokens = newTokens(execution.lab);
  const sink = openCapture({
    file,
    run,
    redaction: { secrets: secretsOf(execution.lab, tokens) },
    existing: recorded === undefined ? 'refuse' : 'continue',
  });
  const warnings: string[] = [];
  const { onFindings } = execution;
  const live = new LiveVerification(file, book, onFindings && { onFindings });
  let labRun: LabRun;
  try {
    labRun = await recordLab(execution, sink, tokens, recorded);
    recordCells(sink, labRun.cells);
  } finally {
    live.stop();
    await sink.close().catch((problem: unknown) => {
      if (!isPlugfestError(problem)) throw problem;
      warnings.push(`${problem.message} (${problem.code})`);
    });
  }
  // Nothing was tried, so nothing replaces what an earlier run found.
  if (labRun.interrupted && labRun.cells.length === 0)
    throw new PlugfestError('PLUGFEST_INTERRUPTED', 'The run was ended before its first cell.');
  for (const { cell, error } of labRun.faults)
    warnings.push(`fault of Plugfest in ${cell}: ${error.message}`);
  const judged = live.stop();
  const concluded = await conclude(execution, { labRun, file, book, judged, ownFault: warnings.length > 0 });
  const { report, traces } = concluded;
  const texts = new Map([...(await renderReports(report)), [tracesName, traces]]);
  let files: readonly string[];
  try {
    files = folder.publish(texts);
  } catch (problem) {
    throw withHint(problem, [...warnings, ...concluded.warnings].join(' '));
  }
  warnings.push(...concluded.warnings, ...(await sendTraces(concluded, execution)));
  return { report, exitCode: warnings.length > 0 ? 3 : report.exitCode, files, warnings };
}

interface Concluded {
  readonly report: RunReport;
  readonly traces: string;
  readonly spans: readonly Span[];
  readonly warnings: readonly string[];
}

interface RecordedLab {
  readonly labRun: LabRun;
  /** The capture. */
  readonly file: string;
  readonly book: Rulebook;
  /** What was judged while it was recorded. */
  readonly judged: Pass | undefined;
  /** Whether Plugfest failed while it ran. */
  readonly ownFault: boolean;
}

/** Reads the capture back: verdict, hops of each cell, traces. */
async function conclude(execution: LabExecution, recorded: RecordedLab): Promise<Concluded> {
  const { lab, labFile, out } = execution;
  const earlier = execution.compare ?? runBefore(out, labFile);
  const { labRun, file, book, judged: begun } = recorded;
  const source = openCaptureSource(file);
  let analysis: Analysis;
  try {
    analysis = analyse(source, book, begun);
  } finally {
    source.close();
  }
  const { summaries, links, exchanges, capture } = analysis;
  const completed = completeRun(labRun, await loadScenarios(), summaries);
  const partial = labRun.interrupted || labRun.filtered;
  const { cells, stale, broad } = applyCellExpectations(completed.cells, lab.expect.cells, { partial });
  const scenarioOf = new Map<string, string>(cells.map((cell) => [cell.id, cell.scenario]));
  const judged = applyExpectations(analysis.verdict, lab.expect.findings, (cell) =>
    cell === undefined ? undefined : scenarioOf.get(cell),
  );
  // A run that left cells out cannot tell whether an expectation is stale.
  const verdict = partial ? { ...judged, staleExpectations: [] } : judged;
  const spans = await spansOf(analysis);
  const unstored = storeSpans(file, spans);
  const agents = agentReports(labRun, analysis);
  const base = {
    cells,
    verdict,
    bypass: completed.bypass,
    staleCellExpectations: stale,
  };
  const current: RunReport = {
    schema: 'plugfest.report/1',
    run: {
      id: capture.run,
      lab: labFile,
      title: lab.title,
      startedAt: labRun.startedAt,
      durationMs: labRun.durationMs,
      seed: labRun.seed,
      tracing: labRun.tracing,
      plugfest: version,
      node: process.versions.node,
    },
    sentence: sentence(base),
    exitCode: exitCodeOf(base, { ownFault: recorded.ownFault, interrupted: labRun.interrupted }),
    agents,
    ...base,
    notes: [...labRun.notes, ...broad],
    gaps: capture.gaps,
    exchanges,
    links,
    rules: reportRules(book),
  };
  const report =
    earlier === undefined ? current : { ...current, comparison: comparisonWith(earlier, current, partial) };
  const traces = await otlpJsonLines(spans, traceResource);
  return { report, traces, spans, warnings: unstored };
}

/** A run that left cells out does not say of them that they are gone. */
function comparisonWith(earlier: EarlierRun, current: RunReport, partial: boolean): RunComparison {
  const comparison = compareRuns(earlier, current);
  return partial ? { ...comparison, removed: [] } : comparison;
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

async function renderReports(report: RunReport): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { file, render } of await loadReporters())
    if (file !== undefined) texts.set(file, render(report));
  return texts;
}

/** Sends the spans where the environment names an OTLP endpoint; what fails is a warning, the file is there. */
async function sendTraces({ spans }: Concluded, { env, signal }: LabExecution): Promise<readonly string[]> {
  try {
    if (otlpEndpoint(env) === undefined) return [];
    return (await exportOtlp(spans, { env, resource: traceResource, ...(signal.aborted ? {} : { signal }) }))
      .warnings;
  } catch (problem) {
    if (!isPlugfestError(problem)) throw problem;
    return [`${problem.message} (${problem.code})`, ...(problem.hint === undefined ? [] : [problem.hint])];
  }
}
