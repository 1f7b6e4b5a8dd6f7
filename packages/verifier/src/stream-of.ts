import type { DecodedExchange, Payload } from '@plugfest/a2a';
import type { SpokenExchange, StreamSubject } from './subjects.ts';

/** The stream of an exchange whose response is one. */
export function streamOf(exchange: SpokenExchange): StreamSubject | undefined {
  const { response, operation, dialect } = exchange;
  if (!response?.events) return undefined;
  if (operation !== 'SendStreamingMessage' && operation !== 'SubscribeToTask') return undefined;
  const payloads: Payload[] = exchange.payloads.filter((payload) => payload.side === 'response');
  return {
    exchange,
    dialect,
    operation,
    events: response.events,
    payloads,
    complete: endedByItself(exchange),
  };
}

/** All of the response is there, and it was not the client who made an end of it: some callees still end it in order then. */
export function endedByItself({
  response,
  captured,
}: Pick<DecodedExchange, 'response' | 'captured'>): boolean {
  return response?.complete === true && captured.end.kind !== 'client-abort';
}
