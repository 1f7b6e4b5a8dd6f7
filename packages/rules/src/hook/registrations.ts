import type { Conversation, PushConfigRecord, WebhookSubject } from '@plugfest/verifier';
import { calledWebhookKey, webhookKey } from '@plugfest/verifier';

/** Push configs of the delivered task for the URL that was called, registered before the delivery. */
export function registrationsFor(
  { exchange, taskId }: WebhookSubject,
  conversation: Conversation,
): readonly PushConfigRecord[] {
  const { captured } = exchange;
  const key = calledWebhookKey(captured);
  return conversation
    .configsOf(captured.edge.caller, taskId)
    .filter(
      ({ accepted, url, atNs }) =>
        accepted && url !== undefined && webhookKey(url) === key && atNs <= captured.request.atNs,
    );
}
