export type {
  InterposerOptions,
  ProxiedParticipant,
  ProxyTapSpec,
  RecordingInterposer,
  TapMode,
} from './interposer.ts';
export { createInterposer } from './interposer.ts';
