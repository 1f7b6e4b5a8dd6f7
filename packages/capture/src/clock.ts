/** Where a recorder takes the time from. */
export interface CaptureClock {
  /** Monotonic nanoseconds since the clock was made. */
  nowNs(): number;
  /** Wall clock, milliseconds since 1970-01-01 UTC. */
  wallMs(): number;
}

/** The clocks of this process; `nowNs` begins at 0. */
export function processClock(): CaptureClock {
  const origin = performance.now();
  return {
    nowNs: () => Math.round((performance.now() - origin) * 1e6),
    wallMs: () => Date.now(),
  };
}
