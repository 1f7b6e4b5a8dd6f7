import { completeRun, loadScenarios } from '@plugfest/orchestrator';
import type { Span } from '@plugfest/telemetry';
import { projectSpans } from '@plugfest/telemetry';
import type { Analysis } from './analysis.ts';
import { version } from './version.ts';

/** Who the traces are from. */
export const traceResource = { 'service.name': 'plugfest', 'service.version': version };

/** The spans of a capture. They depend on nothing else, so that `export` gives what `run` gave. */
export async function spansOf({ capture, summaries, links, cells }: Analysis): Promise<readonly Span[]> {
  // A cell that went well for those who took part failed where a hop of it is not on record.
  const results = cells.map((cell) => ({ ...cell, checks: [], durationMs: 0, exchanges: [] }));
  const completed = completeRun(
    { cells: results, bypass: [], taskListings: [] },
    await loadScenarios(),
    summaries,
  );
  return projectSpans({
    run: capture.run,
    anchorMs: Date.parse(capture.startedAt),
    summaries,
    links,
    cells: completed.cells,
    edges: capture.edges,
  });
}
