import { randomInt } from 'node:crypto';
import { openCaptureSource } from '@plugfest/capture';
import type { CaptureSink, CellResult } from '@plugfest/model';
import { cellId, isJsonObject, PlugfestError } from '@plugfest/model';
import type { Lab } from '@plugfest/orchestrator';

/** Notes by which a run can be taken up again. */
const topics = { result: 'cell-result', seed: 'seed', lab: 'lab' } as const;

/** What an interrupted run left in its capture. */
export interface RecordedRun {
  readonly seed: number | undefined;
  /** Cells that came to an end, by id; the last end of each. */
  readonly finished: ReadonlyMap<string, CellResult>;
}

/** Puts into the capture what a run needs to be taken up again, before anything is run. */
export function recordStart(sink: CaptureSink, { name }: Lab, seed: number): void {
  sink.record({ kind: 'note', topic: topics.lab, text: name });
  sink.record({ kind: 'note', topic: topics.seed, text: String(seed) });
}

/** Puts the result of a cell into the capture. Its texts came from agents: without secrets, please. */
export function recordResult(sink: CaptureSink, result: CellResult): void {
  sink.record({ kind: 'note', topic: topics.result, text: JSON.stringify(result), cell: result.id });
}

/**
 * Reads what a run of this lab left in a capture. @throws PlugfestError PLUGFEST_USAGE where it is a capture of
 * something else.
 */
export function recordedRun(file: string, lab: Lab): RecordedRun {
  const source = openCaptureSource(file);
  try {
    const notes = source.notes();
    const names = new Set(notes.flatMap(({ topic, text }) => (topic === topics.lab ? [text] : [])));
    if (!names.has(lab.name)) {
      const what = names.size === 0 ? 'no run of a lab' : `a run of the lab ${[...names].join(', ')}`;
      throw new PlugfestError('PLUGFEST_USAGE', `--resume: ${file} holds ${what}, not of ${lab.name}`, {
        hint: 'Give the lab file that the interrupted run was started with.',
      });
    }
    const seed = notes.findLast(({ topic }) => topic === topics.seed)?.text;
    const finished = new Map<string, CellResult>();
    for (const { topic, text } of notes) {
      const result = topic === topics.result ? resultIn(text) : undefined;
      // A cell that was not run is to be run now.
      if (result !== undefined && result.outcome !== 'not-run') finished.set(result.id, result);
    }
    return { seed: seed !== undefined && /^\d{1,10}$/.test(seed) ? Number(seed) : undefined, finished };
  } finally {
    source.close();
  }
}

/** The seed of a run: what is asked for, what the run had that is taken up, what the lab has, or a new one. */
export function seedOf(asked: number | undefined, recorded: RecordedRun | undefined, lab: Lab): number {
  return asked ?? recorded?.seed ?? lab.seed ?? randomInt(2 ** 32);
}

/** What this program wrote there itself; anything else is no result. */
function resultIn(text: string): CellResult | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || typeof value.id !== 'string' || !Array.isArray(value.checks)) return undefined;
  if (typeof value.outcome !== 'string' || typeof value.durationMs !== 'number') return undefined;
  return { ...(value as unknown as CellResult), id: cellId(value.id) };
}
