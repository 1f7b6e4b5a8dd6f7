export { compareRuns, type EarlierRun } from './comparison.ts';
export { printable, shorten } from './printable.ts';
export { loadReporters } from './registry.ts';
export type { Paint, RenderOptions, Reporter, VerdictInput } from './reporter.ts';
export { anythingJudged, isClean, isVerdictClean, sentence } from './sentence.ts';
