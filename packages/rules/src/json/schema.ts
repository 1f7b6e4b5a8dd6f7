import { protocolSchemas } from '@plugfest/a2a/schemas';

export type { Field, Schema } from '@plugfest/a2a/schemas';

/** The objects by which the rules read documents: those of 0.2 differ from 0.3 in cards only. */
export const schema10 = protocolSchemas['1.0'].types;
export const schema03 = protocolSchemas['0.3'].types;
export const schema01 = protocolSchemas['0.1'].types;
