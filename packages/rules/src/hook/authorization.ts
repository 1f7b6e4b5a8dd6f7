import { header } from '@plugfest/model';
import type { Conversation, PushConfigRecord, WebhookSubject } from '@plugfest/verifier';
import { registrationsFor } from './registrations.ts';

/** How the `Authorization` of a delivery compares to what the client registered. */
export interface AuthorizationCheck {
  readonly outcome: 'right' | 'absent' | 'scheme' | 'credentials';
  /** The registered scheme, and the one found. */
  readonly scheme: string;
  readonly found: string | undefined;
}

/** Schemes whose `Authorization` holds the credentials themselves; others compute something from them. */
const literalSchemes = new Set(['bearer', 'basic']);

/** Secrets are stored as tokens that only keep equality, so an encoding of one cannot be compared. */
const isRedacted = (text: string): boolean => text.includes('‹');

function matches(scheme: string, credentials: string, found: string): boolean {
  if (!literalSchemes.has(scheme) || found === credentials) return true;
  if (scheme !== 'basic') return false;
  return (
    isRedacted(found) || isRedacted(credentials) || found === Buffer.from(credentials).toString('base64')
  );
}

function compare(
  { scheme = '', credentials = '' }: PushConfigRecord,
  value: string | undefined,
): AuthorizationCheck {
  if (value === undefined) return { outcome: 'absent', scheme, found: undefined };
  const [found = '', ...rest] = value.trim().split(/\s+/);
  if (found.toLowerCase() !== scheme.toLowerCase()) return { outcome: 'scheme', scheme, found };
  const outcome = matches(scheme.toLowerCase(), credentials, rest.join(' ')) ? 'right' : 'credentials';
  return { outcome, scheme, found };
}

/**
 * Compares a delivery with the registrations that it may belong to; one that fits is enough. Undefined where one of
 * them asks for no credentials, or none is known.
 */
export function checkAuthorization(
  webhook: WebhookSubject,
  conversation: Conversation,
): AuthorizationCheck | undefined {
  const ofTask = registrationsFor(webhook, conversation);
  const registrations = ofTask.length > 0 ? ofTask : webhook.config === undefined ? [] : [webhook.config];
  // What goes into the header without registered credentials is between agent and receiver.
  if (registrations.some(({ scheme, credentials }) => !scheme || !credentials)) return undefined;
  const value = header(webhook.delivery.headers, 'authorization');
  const checks = registrations.map((registration) => compare(registration, value));
  return checks.find(({ outcome }) => outcome === 'right') ?? checks.at(-1);
}
