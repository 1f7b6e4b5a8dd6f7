import type { Conversation, PushConfigRecord, WebhookSubject } from '@plugfest/verifier';
import { webhookKey } from '@plugfest/verifier';

/** Push configs of the delivered task for the URL that was called, registered before the delivery. */
export function registrationsFor(
  { delivery, taskId }: WebhookSubject,
  conversation: Conversation,
): readonly PushConfigRecord[] {
  const { exchange, webhook } = delivery;
  return conversation
    .configsOf(exchange.edge.caller, taskId)
    .filter(
      ({ accepted, url, atNs }) =>
        accepted && url !== undefined && webhookKey(url) === webhook && atNs <= exchange.startNs,
    );
}
