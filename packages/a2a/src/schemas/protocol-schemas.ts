import { schema01 } from './v0.1.ts';
import { schema02 } from './v0.2.ts';
import { schema03 } from './v0.3.ts';
import { schema10 } from './v1.0.ts';

/** What is said of the wire objects of each version. */
export const protocolSchemas = {
  '0.1': schema01,
  '0.2': schema02,
  '0.3': schema03,
  '1.0': schema10,
} as const;
