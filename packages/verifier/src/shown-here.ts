import type { DecodedExchange, StreamEvent } from '@plugfest/a2a';
import type { ShownHere } from './rule-plan.ts';

const hasError = ({ error }: StreamEvent): boolean => error !== undefined;

/** What an exchange shows of what rules may want to be shown (`RuleDefinition.shown`). */
export function shownHere({ response, payloads }: DecodedExchange): ShownHere {
  const isFailure =
    response !== undefined &&
    (response.error !== undefined || response.status >= 400 || response.events?.some(hasError) === true);
  let hasConfig = false;
  for (const { kind } of payloads) if (kind === 'pushConfig') hasConfig = true;
  return hasConfig ? (isFailure ? 'both' : 'push-config') : isFailure ? 'failure' : 'nothing';
}
