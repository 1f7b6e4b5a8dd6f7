import { setTimeout as delay } from 'node:timers/promises';
import { isPlugfestError } from '@plugfest/model';

const tryForMs = 5000;
const pauseMs = 500;

/**
 * Starts something where it was before. While it is away, its port is free, and on a busy machine the kernel may give it to
 * a client of somebody else for a while; so it is tried again for 5 s. @throws what the last try did, or the signal's reason
 */
export async function startAgain<T>(
  start: () => Promise<T>,
  signal: AbortSignal,
  forMs = tryForMs,
): Promise<T> {
  for (const endMs = performance.now() + forMs; ; ) {
    try {
      return await start();
    } catch (error) {
      if (!isPlugfestError(error) || performance.now() + pauseMs > endMs) throw error;
    }
    await delay(pauseMs, undefined, { signal });
  }
}
