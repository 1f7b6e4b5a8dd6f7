import type { InboundRequest } from './inbound-request.ts';
import { hasLoopMark } from './loop-mark.ts';
import type { ProblemCode } from './problem.ts';
import type { TapContext } from './tap-context.ts';

export interface Refusal {
  readonly code: ProblemCode;
  readonly detail: string;
}

/** Why a request goes nowhere; undefined for one that goes to the callee. */
export function refusalOf(request: InboundRequest, tap: TapContext): Refusal | undefined {
  const { hosts, doubt } = request.framing;
  if (tap.closing()) return { code: 'shutdown', detail: 'The lab is closing this address.' };
  const { remoteAddress, remotePort, localPort } = request;
  const cameBack = tap.loopMark !== undefined && hasLoopMark(request.rawHeaders, tap.loopMark);
  if (cameBack || tap.isOwnConnection(remoteAddress, remotePort, localPort)) {
    const detail = `Plugfest was about to forward to itself: ${tap.callee} is one of its own addresses.`;
    return { code: 'loop', detail };
  }
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== '1.0')) {
    const detail = 'A request needs exactly one Host field (RFC 9112 section 3.2).';
    return { code: 'bad-request', detail };
  }
  if (doubt !== undefined) return { code: 'bad-request', detail: doubt };
  if (tap.deliveries?.refuses(request.target) === true) {
    const detail = 'This address was not given out for a webhook of this agent, or its key is gone.';
    return { code: 'unknown-webhook', detail };
  }
  return undefined;
}
