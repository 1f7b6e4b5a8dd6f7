export { newSigningKey } from './cards/card-signer.ts';
export { type ControlServer, startControl } from './control/control-server.ts';
export type { Fault } from './faults/fault.ts';
export { FaultSet, faultSchemas } from './faults/fault-set.ts';
export { loadFaultKinds } from './faults/registry.ts';
export { createInterposer } from './interposer.ts';
export type {
  InterposerOptions,
  ProxiedParticipant,
  RecordingInterposer,
} from './interposer-options.ts';
export type { OpenTap } from './open-tap.ts';
export { type LabAuthority, openLabAuthority } from './tls/authority.ts';
export { KeyLog } from './tls/key-log.ts';
