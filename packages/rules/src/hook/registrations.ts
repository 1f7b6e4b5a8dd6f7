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

/**
 * The tokens that a delivery may bring back: one for each config of its task at the URL. None where a config has no
 * token, for then a delivery without one is right.
 */
export function tokensFor(webhook: WebhookSubject, conversation: Conversation): readonly string[] {
  const ofTask = registrationsFor(webhook, conversation);
  const registrations = ofTask.length > 0 ? ofTask : webhook.config === undefined ? [] : [webhook.config];
  const tokens = registrations.flatMap(({ token }) => (token ? [token] : []));
  return tokens.length === registrations.length ? tokens : [];
}
