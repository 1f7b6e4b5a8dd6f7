import type { DecodedExchange, Payload } from '@plugfest/a2a';
import type { Report } from '@plugfest/verifier';
import { placeOf } from '../sent-message.ts';
import { shownStatus } from '../shown-state.ts';

/** Payloads that show a task waiting for authorisation. */
export const waitsForAuthorisation = (payload: Payload): boolean =>
  shownStatus(payload)?.state === 'TASK_STATE_AUTH_REQUIRED';

/** Reports, as warnings, each status that waits for authorisation without saying what is needed. */
export function reportSilentWaits(
  { payloads }: DecodedExchange,
  report: (message: 'silent', report: Report) => void,
): void {
  for (const payload of payloads) {
    const status = shownStatus(payload);
    if (status?.state !== 'TASK_STATE_AUTH_REQUIRED' || status.message !== undefined) continue;
    report('silent', {
      outcome: 'warn',
      at: placeOf(payload, '/status'),
      expected: 'a `message` in the status',
    });
  }
}
