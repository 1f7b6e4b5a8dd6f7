import type { Conversation, PushConfigRecord, WebhookSubject } from '@plugfest/verifier';

/** Push configs of the delivered task for the URL that was called, registered before the delivery. */
export function registrationsFor(
  { delivery, taskId }: WebhookSubject,
  conversation: Conversation,
): readonly PushConfigRecord[] {
  const { exchange, webhook } = delivery;
  return conversation
    .configsFor(exchange.edge.caller, taskId, webhook)
    .filter(({ atNs }) => atNs <= exchange.startNs);
}
