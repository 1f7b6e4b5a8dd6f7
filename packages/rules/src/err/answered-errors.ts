import type { ErrorView } from '@plugfest/a2a';
import type { FindingLocation } from '@plugfest/model';
import type { SpokenExchange } from '@plugfest/verifier';
import { onceForEach } from '../last-exchange.ts';

/** An error that an agent gave as an answer, or in the middle of one. */
export interface AnsweredError {
  readonly error: ErrorView;
  /** The HTTP status that tells it; undefined where JSON-RPC or a running stream carries the error. */
  readonly httpStatus: number | undefined;
  /** A place in the error: `member` is a pointer below it, or empty for the error itself. */
  at(member: string): FindingLocation;
}

const none: readonly AnsweredError[] = [];

/** The error of the response, and those of stream events. */
export const answeredErrors = onceForEach(({ response, dialect }): readonly AnsweredError[] => {
  if (response === undefined) return none;
  const { error, status, events } = response;
  if (error === undefined && events === undefined) return none;
  const all: AnsweredError[] = [];
  if (error !== undefined)
    all.push({
      error,
      httpStatus: dialect?.binding === 'HTTP+JSON' ? status : undefined,
      at: (member) => ({ side: 'response', pointer: error.pointer + member }),
    });
  for (const { error: failure, index } of events ?? []) {
    if (failure !== undefined)
      all.push({
        error: failure,
        httpStatus: undefined,
        at: (member) => ({ side: 'response', event: index, pointer: failure.pointer + member }),
      });
  }
  return all;
});

/** Name of the member that holds the typed objects of an error (sections 9.5 and 11.6). */
export const detailsMember = ({ dialect }: SpokenExchange): 'data' | 'details' =>
  dialect.binding === 'JSONRPC' ? 'data' : 'details';
