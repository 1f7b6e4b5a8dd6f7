import type { Fault } from '../../fault.ts';

export default {
  name: 'webhook-without-token',
  summary: 'Webhook deliveries carry neither the registered token nor the Authorization.',
  rules: ['HOOK-005'],
  apply() {
    const { fetch } = globalThis;
    // The SDK's sender calls the global fetch; only it sets these two headers.
    globalThis.fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete('authorization');
      headers.delete('x-a2a-notification-token');
      return fetch(input, { ...init, headers });
    };
  },
} satisfies Fault;
