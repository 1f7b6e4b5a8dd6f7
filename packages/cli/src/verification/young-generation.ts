import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Room for what is new in the heap of a verifying thread; half as much makes its collection twice as dear. */
export const youngGenerationMb = 48;

/** Two of the three parts of the young generation, which is how V8 counts `new_space`. */
const enough = (youngGenerationMb * 2 ** 20 * 2) / 3;

let bounded = false;

/**
 * Keeps the young generation of the main thread from growing beyond `youngGenerationMb`, to be called now and then. What
 * is a limit of a worker can be given to a main thread only when its process starts.
 */
export function boundYoungGeneration(): void {
  if (bounded) return;
  const size = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
  if (size < enough) return;
  bounded = true;
  setFlagsFromString('--semi-space-growth-factor=1');
}
