import type { Express } from 'express';
import { discover } from './discover.ts';

/** A deliberate defect. It wraps what the SDK sends, since the SDK itself behaves. */
export interface Fault {
  /** The folder's name, and the value of `--fault`. */
  readonly name: string;
  /** What a peer sees, in one sentence. */
  readonly summary: string;
  /** The ids of the rules it breaks. */
  readonly rules: readonly string[];
  /** Called once, before the SDK's handlers are mounted on `app`. */
  readonly apply: (app: Express) => void;
}

/** Every defect of `faulty/`, by name. */
export function loadFaults(): Promise<readonly Fault[]> {
  return discover<Fault>(new URL('./faulty/', import.meta.url));
}
