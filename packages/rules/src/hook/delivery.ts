import type { WebhookSubject } from '@plugfest/verifier';

/** True for a request that means to be a delivery: by what it holds, or because its URL was registered. */
export function isDelivery({ delivery, configs }: WebhookSubject): boolean {
  return delivery.payload !== undefined || (configs.length > 0 && delivery.method === 'POST');
}
