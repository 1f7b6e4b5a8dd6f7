import { type Filter, storeRaw } from '../writer/intake.ts';
import type { RedactionOptions } from './options.ts';

export function redactionFilter(_options: RedactionOptions): Filter {
  return storeRaw;
}
