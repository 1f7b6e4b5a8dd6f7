import type { Forwarder } from '../forwarder.ts';

/** No forwarder at all: what every behaviour asks for is what the ends see of each other without one. */
export default {
  name: 'none',
  about: async () =>
    'the client talks to the callee itself; what is wrong there is what only a forwarder can do',
  start: async (calleePort) => ({
    port: calleePort,
    death: undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }),
} satisfies Forwarder;
