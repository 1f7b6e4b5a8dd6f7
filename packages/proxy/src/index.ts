export type {
  InterposerOptions,
  ProxiedParticipant,
  ProxyTapSpec,
  RecordingInterposer,
} from './interposer.ts';
export { createInterposer } from './interposer.ts';
