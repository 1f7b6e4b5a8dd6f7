import type { ProblemCode } from '../problem.ts';
import { MalformedMessage, OversizedHead } from './fields.ts';

/** It ends in the middle of a request: there is nobody to answer. */
export class CutOff extends MalformedMessage {}

export class LateHead extends MalformedMessage {}

/** What a client is told of what it sent, in the name of the proxy. */
export function saidOf(error: MalformedMessage): [code: ProblemCode, detail: string] {
  const detail = `What arrived is no HTTP/1.1 request that Plugfest can pass on (${error.what}).`;
  if (error instanceof OversizedHead) return ['head-too-large', detail];
  return [error instanceof LateHead ? 'request-timeout' : 'bad-request', detail];
}
