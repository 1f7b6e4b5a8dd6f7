import type { WebhookSubject } from '@plugfest/verifier';

/** True for a request that means to be a delivery: by what it holds, or because its URL was registered. */
export function isDelivery({ exchange, payload, configs }: WebhookSubject): boolean {
  return payload !== undefined || (configs.length > 0 && exchange.captured.request.method === 'POST');
}
