export { loadReporters } from './registry.ts';
export type { Paint, RenderOptions, Reporter, VerdictInput } from './reporter.ts';
export { plain } from './reporter.ts';
export type { SentenceSource, Tone } from './sentence.ts';
export { sentence, toneOf, verdictSentence, verdictToneOf } from './sentence.ts';
