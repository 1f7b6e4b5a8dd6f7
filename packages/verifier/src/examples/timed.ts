import type { ExampleExchange } from './example.ts';

const second = (number: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString();

/**
 * An exchange at a second of the example's clock, with the seconds at which the events of its stream come. By them
 * exchanges overlap, which they do not by the order of lines alone; then all exchanges of an example need a time.
 */
export function timed<E extends ExampleExchange>(
  exchange: E,
  atSecond: number,
  eventSeconds: readonly number[] = [],
): E {
  const at = second(atSecond);
  if ('grpc' in exchange)
    return { ...exchange, at, grpc: { ...exchange.grpc, response_at: eventSeconds.map(second) } };
  const sse = exchange.response?.sse?.map((event, i) => {
    const eventSecond = eventSeconds[i];
    return eventSecond === undefined ? event : { ...event, at: second(eventSecond) };
  });
  return {
    ...exchange,
    at,
    ...(sse === undefined ? {} : { response: { ...exchange.response, sse } }),
  };
}
