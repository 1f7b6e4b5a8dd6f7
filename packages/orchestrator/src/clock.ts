import { setTimeout as delay } from 'node:timers/promises';

/** Time as the orchestrator sees it, so that tests can hold it. */
export interface Clock {
  /** Monotonic milliseconds. */
  nowMs(): number;
  wall(): Date;
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  wall: () => new Date(),
  sleep: async (ms, signal) => {
    signal.throwIfAborted();
    await delay(ms, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  },
};
